"""The training step in JAX: one jitted function of fixed shapes, every derivative by automatic differentiation."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

import paper
from sampling import Filler


def w2_squared(a, b):
    return jnp.sum((a - b) ** 2, axis=-1)  # rows are [μ; s]: Eq. 3 for diagonal covariances


def margin(phi, x_a, x_p, x_q):
    """Eqs. 12 to 14. x_a, x_p [P, 1, h], x_q [P, Q, h] → [P, Q]."""
    chi_p, chi_q = (x_a - x_p) ** 2, (x_a - x_q) ** 2
    s = jnp.concatenate([jnp.broadcast_to(chi_p, chi_q.shape), chi_q, chi_q - chi_p], axis=-1)
    z = jnp.tanh(s @ phi["w1"].T + phi["b1"])
    return jax.nn.softplus(z @ phi["w2"] + phi["b2"])


def rows(theta, batch):
    a, p, q, *_ = batch
    return theta[a][:, None], theta[p][:, None], theta[q]


def hinge(a, p, q, m, batch):
    """Σ [d(a,p)² − d(a,q)² + m]₊ over the triplets that count."""
    return jnp.sum(jax.nn.relu(w2_squared(a, p) - w2_squared(a, q) + m) * batch[3][:, None])


def inner(theta, phi, batch):
    h = theta.shape[1] // 2
    a, p, q = rows(theta, batch)
    x = [r[..., :h] + r[..., h:] * e for r, e in zip((a, p, q), batch[4])]
    m = margin(phi, *x)
    return hinge(a, p, q, m, batch), jnp.sum(m * batch[3][:, None])


def outer(phi, theta, batch):
    """J_outer at the proxy Θ̃(Φ) = Θ − α∇_Θ J_inner, plus λ‖Φ‖² (Eqs. 9, 10)."""
    (value, m), grad = jax.value_and_grad(inner, has_aux=True)(theta, phi, batch)
    proxy = theta - paper.ALPHA * grad
    norm = sum(jnp.sum(x**2) for x in jax.tree.leaves(phi))
    return hinge(*rows(proxy, batch), 1.0, batch) + paper.LAMBDA * norm, (value, m, grad)


def adam(x, g, m, v, t):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
    return x - paper.RATE * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), m, v


def bound(theta):
    h = theta.shape[1] // 2
    mean, stddev = theta[:, :h], jnp.maximum(theta[:, h:], paper.MIN_STDDEV)
    norm = jnp.sqrt(jnp.sum(mean**2, axis=1, keepdims=True))
    size = jnp.sum(stddev**4, axis=1, keepdims=True)  # ‖Σ‖²
    stddev = jnp.maximum(stddev * jnp.maximum(size, 1) ** -0.25, paper.MIN_STDDEV)
    return jnp.concatenate([mean / jnp.maximum(norm, 1), stddev], axis=1)


@partial(jax.jit, donate_argnums=0)
def step(state, batches):
    theta, (m, v), phis, moments, t = state
    t = t + 1
    total, touched, losses = jnp.zeros_like(theta), jnp.zeros(len(theta), bool), []
    for k, batch in enumerate(batches):
        (_, (value, m_sum, grad)), grad_phi = jax.value_and_grad(outer, has_aux=True)(phis[k], theta, batch)
        total += grad
        for index in batch[:3]:
            touched = touched.at[index].set(True)
        new = jax.tree.map(lambda x, g, m, v: adam(x, g, m, v, t), phis[k], grad_phi, *moments[k])
        phis[k], *moments[k] = jax.tree.transpose(jax.tree.structure(phis[k]), jax.tree.structure((0, 0, 0)), new)
        losses.append((value, m_sum))
    x, m1, v1 = adam(theta, total, m, v, t)
    keep = touched[:, None]  # lazy: rows that no batch names keep their value and state
    new = jnp.where(keep, bound(x), theta), (jnp.where(keep, m1, m), jnp.where(keep, v1, v))
    return (*new, phis, moments, t), losses


class Training:
    def __init__(self, theta, phis, sampler, device="cpu"):
        jax.config.update("jax_platforms", device)
        phis = [jax.tree.map(jnp.asarray, phi) for phi in phis]
        moments = [[jax.tree.map(jnp.zeros_like, phi) for _ in range(2)] for phi in phis]
        state = (jnp.zeros_like(theta), jnp.zeros_like(theta)), phis, moments, 0.0

        def by_numpy(*shape):  # on a processor four times as fast as jax.random
            return sampler.rng.standard_normal(shape, dtype=np.float32)

        self.key = jax.random.key(int(sampler.rng.integers(2**31)))

        def by_jax(*shape):
            self.key, key = jax.random.split(self.key)
            return jax.random.normal(key, shape)

        normal = by_numpy if device == "cpu" else by_jax
        self.state, self.filler = (jnp.asarray(theta), *state), Filler(sampler, paper.DIM, normal)

    def compile(self, batches):
        self.compiled = step.lower(self.state, self.filler.fill(batches)).compile()

    def step(self, batches):
        """One step; returns (sum of inner losses, sum of margins) of each task, computed when they are read."""
        self.state, losses = self.compiled(self.state, self.filler.fill(batches))
        return losses

    def wait(self):
        jax.block_until_ready(self.state)
