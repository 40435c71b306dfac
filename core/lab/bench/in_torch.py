"""The training step in PyTorch, every derivative by automatic differentiation; as it is, or through torch.compile."""

from functools import partial

import torch
from torch.nn import functional as F
from torch.utils._pytree import tree_map

import paper
from sampling import Filler


def w2_squared(a, b):
    return ((a - b) ** 2).sum(-1)  # rows are [μ; s]: Eq. 3 for diagonal covariances


def margin(phi, x_a, x_p, x_q):
    """Eqs. 12 to 14. x_a, x_p [P, 1, h], x_q [P, Q, h] → [P, Q]."""
    chi_p, chi_q = (x_a - x_p) ** 2, (x_a - x_q) ** 2
    s = torch.cat([chi_p.expand_as(chi_q), chi_q, chi_q - chi_p], dim=-1)
    z = torch.tanh(F.linear(s, phi["w1"], phi["b1"]))
    return F.softplus(z @ phi["w2"] + phi["b2"])


def rows(theta, batch):
    a, p, q, *_ = batch
    return F.embedding(a, theta)[:, None], F.embedding(p, theta)[:, None], F.embedding(q, theta)


def hinge(a, p, q, m, batch):
    """Σ [d(a,p)² − d(a,q)² + m]₊ over the triplets that count."""
    return (F.relu(w2_squared(a, p) - w2_squared(a, q) + m) * batch[3][:, None]).sum()


def inner(theta, phi, batch):
    h = theta.shape[1] // 2
    a, p, q = rows(theta, batch)
    m = margin(phi, *(r[..., :h] + r[..., h:] * e for r, e in zip((a, p, q), batch[4])))
    value = hinge(a, p, q, m, batch)
    return value, (value, (m * batch[3][:, None]).sum())


def outer(phi, theta, batch):
    """J_outer at the proxy Θ̃(Φ) = Θ − α∇_Θ J_inner, plus λ‖Φ‖² (Eqs. 9, 10)."""
    grad, (value, m) = torch.func.grad(inner, has_aux=True)(theta, phi, batch)
    proxy = theta - paper.ALPHA * grad
    norm = sum((x**2).sum() for x in phi.values())
    return hinge(*rows(proxy, batch), 1.0, batch) + paper.LAMBDA * norm, (value, m, grad)


def gradients(phi, theta, batch):
    """∇_Φ of outer; J_inner, its margins and ∇_Θ J_inner."""
    return torch.func.grad(outer, has_aux=True)(phi, theta, batch)


def bound(theta):
    h = theta.shape[1] // 2
    mean, stddev = theta[:, :h], theta[:, h:].clamp(min=paper.MIN_STDDEV)
    size = (stddev**4).sum(1, keepdim=True)  # ‖Σ‖²
    stddev = (stddev * size.clamp(min=1) ** -0.25).clamp(min=paper.MIN_STDDEV)
    return torch.cat([mean / mean.norm(dim=1, keepdim=True).clamp(min=1), stddev], dim=1)


class Training:
    def __init__(self, theta, phis, sampler, compiled=False, device="cpu"):
        torch.manual_seed(int(sampler.rng.integers(2**31)))
        self.device = device
        self.filler = Filler(sampler, paper.DIM, partial(torch.randn, device=device))
        self.theta = torch.from_numpy(theta).to(device)
        self.phis = [{k: torch.as_tensor(x, device=device) for k, x in phi.items()} for phi in phis]
        self.networks = [torch.optim.Adam(phi.values(), lr=paper.RATE) for phi in self.phis]
        # Rows that no batch names keep their value and state, as with torch.optim.SparseAdam; but nearly all rows are
        # named by every batch, so the gradient is dense.
        self.m, self.v, self.t = torch.zeros_like(self.theta), torch.zeros_like(self.theta), 0
        self.gradients = torch.compile(gradients) if compiled else gradients

    def compile(self, batches):
        for batch, phi in zip(self.fill(batches), self.phis):
            self.gradients(phi, self.theta, batch)

    def fill(self, batches):
        return tree_map(partial(torch.as_tensor, device=self.device), self.filler.fill(batches))

    def step(self, batches):
        """One step; returns (sum of inner losses, sum of margins) of each task."""
        total, losses = torch.zeros_like(self.theta), []
        touched = torch.zeros(len(self.theta), dtype=torch.bool, device=self.device)
        for batch, phi, network in zip(self.fill(batches), self.phis, self.networks):
            grad_phi, (value, m, grad) = self.gradients(phi, self.theta, batch)
            total += grad
            for index in batch[:3]:
                touched[index.reshape(-1)] = True
            for name, x in phi.items():
                x.grad = grad_phi[name]
            network.step()
            losses.append((value, m))
        self.move(total, touched.nonzero()[:, 0])
        return losses

    @torch.no_grad()
    def move(self, grad, at):
        self.t += 1
        g, m, v = grad[at], self.m[at], self.v[at]
        m.mul_(0.9).add_(g, alpha=0.1)
        v.mul_(0.999).addcmul_(g, g, value=0.001)
        self.m[at], self.v[at] = m, v
        step = paper.RATE / (1 - 0.9**self.t)
        below = (v / (1 - 0.999**self.t)).sqrt_().add_(1e-8)
        self.theta[at] = bound(self.theta[at].addcdiv_(m, below, value=-step))

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()
