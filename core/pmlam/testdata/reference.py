"""The parts of golden.py: the model as the paper defines it, Adam and the bounds, checks, and random inputs.

No gradient is written out by hand: the only derivative here is the jax.grad inside the proxy Θ̃, which is part of its
definition. See golden.py for the symbols.
"""

import jax
import numpy as np

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402  (after the configuration, which it reads)
from jax.flatten_util import ravel_pytree  # noqa: E402

MIN_STDDEV = 1e-3  # gaussian.MinStddev
CLEAR = 1e-3  # minimum distance of an argument from its kink
SMALL = 5e-4  # minimum |g| / max|g| of a gradient for Adam, unless it is exactly 0


class Unclear(Exception):
    """A random draw too near a kink, or without a feature that its case must show; the next seed is tried."""


# ---- the model, from the paper
# ----------------------------------------------------------------------------------------


def w2_squared(a, b, deterministic=False):
    """Eq. 3 for diagonal covariances: ‖μ_a−μ_b‖² + ‖Σ_a^½ − Σ_b^½‖². The deterministic variant has no Σ."""
    h = a.shape[-1] // 2
    d = jnp.sum((a[..., :h] - b[..., :h]) ** 2, axis=-1)
    if deterministic:
        return d
    return d + jnp.sum((a[..., h:] - b[..., h:]) ** 2, axis=-1)


def features(form, x_a, x_p, x_q):
    """The network's input s_ijk: Eq. 13, or the two of the ablation study."""
    if form == "difference":
        chi_p, chi_q = (x_a - x_p) ** 2, (x_a - x_q) ** 2
        return jnp.concatenate([chi_p, chi_q, chi_q - chi_p], axis=-1)
    if form == "cat":
        return jnp.concatenate([x_a, x_p, x_q], axis=-1)
    return x_a + x_p + x_q


def margin(phi, form, x_a, x_p, x_q):
    """Eq. 12. The x have equal shapes [..., h]; one margin for each."""
    z = jnp.tanh(features(form, x_a, x_p, x_q) @ phi["w1"].T + phi["b1"])
    return jnp.logaddexp(z @ phi["w2"] + phi["b2"], 0.0)


def rows(theta, batch):
    """θ of anchors, positives and negatives, broadcast to [pairs, negatives, 2h]."""
    q = theta[batch["q"]]
    a = jnp.broadcast_to(theta[batch["a"]][:, None], q.shape)
    p = jnp.broadcast_to(theta[batch["p"]][:, None], q.shape)
    return a, p, q


def margins(theta, phi, batch, opt):
    """m of every triplet of the batch, from the sampled embeddings x = μ + s⊙ε (x = μ where deterministic)."""
    h = theta.shape[1] // 2

    def sample(row, eps):
        return row[..., :h] if opt["deterministic"] else row[..., :h] + row[..., h:] * eps

    a, p, q = rows(theta, batch)
    return margin(
        phi, opt["input"], sample(a, batch["ea"][:, None]), sample(p, batch["ep"][:, None]), sample(q, batch["eq"])
    )


def arguments(theta, m, batch, opt):
    """The argument of [·]₊ for every triplet: d(a,p)² − d(a,q)² + m."""
    a, p, q = rows(theta, batch)
    return w2_squared(a, p, opt["deterministic"]) - w2_squared(a, q, opt["deterministic"]) + m


def inner(theta, phi, batch, opt, margin_is_constant=False):
    """J_inner of Eq. 8, batch losses summed. margin_is_constant makes the mistake that leaves Φ without a gradient."""
    seen = jax.lax.stop_gradient(theta) if margin_is_constant else theta
    return jnp.sum(jnp.maximum(arguments(theta, margins(seen, phi, batch, opt), batch, opt), 0.0))


def outer(theta, batch, opt, m=1.0):
    """J_outer of Eq. 8 without the regularisation: L_Fix with m = 1."""
    return jnp.sum(jnp.maximum(arguments(theta, m, batch, opt), 0.0))


def proxy(theta, phi, batch, opt, **how):
    """Eq. 10: Θ̃(Φ) = Θ − α ∇_Θ J_inner(Θ, Φ)."""
    return theta - opt["alpha"] * jax.grad(inner)(theta, phi, batch, opt, **how)


def outer_of_phi(phi, theta, batch, opt, lam, **how):
    """The objective of the Φ update: J_outer(Θ̃(Φ)) + λ‖Φ‖²."""
    norm = sum(jnp.sum(x**2) for x in jax.tree.leaves(phi))
    return outer(proxy(theta, phi, batch, opt, **how), batch, opt) + lam * norm


def smooth_hinge(x, tau):
    """τ·log(1 + exp(x/τ)), the hinge as τ → 0."""
    return tau * jnp.logaddexp(x / tau, 0.0)


def way_inner(theta, m, batch, way):
    """J_inner with the margins m: the hinge as printed, or the smooth one."""
    x = arguments(theta, m, batch, way)
    return jnp.sum(smooth_hinge(x, way["smooth"]) if way["smooth"] else jnp.maximum(x, 0.0))


def way_gradient(theta, phi, batch, way):
    """G: ∇_Θ J_inner, in which the margins of the smooth hinge are constants."""
    if way["smooth"]:
        return jax.grad(way_inner)(theta, margins(theta, phi, batch, way), batch, way)
    return jax.grad(lambda t: way_inner(t, margins(t, phi, batch, way), batch, way))(theta)


def way_proxy(theta, phi, batch, way):
    """Θ̃ = Θ − αG, or Θ − αG/‖G‖."""
    g = way_gradient(theta, phi, batch, way)
    return theta - way["alpha"] * (g / jnp.sqrt(jnp.sum(g**2)) if way["unit"] else g)


def way_outer(tilde, outside, way):
    """J_outer on the outer batch: the hinge with a fixed margin, or the softmax."""
    if way["outer_softmax"]:
        a, p, q = rows(tilde, outside)
        return jnp.sum(softmax_loss(w2_squared(a, p)[:, 0], w2_squared(a, q), way["outer_softmax"]))
    return outer(tilde, outside, way, way["outer_margin"])


def softmax_loss(dp, dq, tau):
    """log(1 + Σ_q exp((d_p − d_q)/τ)) over the last axis of dq."""
    return jnp.log(1.0 + jnp.sum(jnp.exp((dp[..., None] - dq) / tau), axis=-1))


def hinge_loss(dp, dq, m):
    return jnp.sum(jnp.maximum(dp[..., None] - dq + m, 0.0), axis=-1)


# ---- after the gradient: Adam and the bounds (no derivative is taken of these)
# -----------------------------------------


class Adam:
    """PyTorch's form: x −= lr · m̂/(√v̂ + ε). Lazy: entries outside `touched` keep value and state, t is global."""

    def __init__(self, like, lr):
        self.m, self.v, self.t, self.lr = np.zeros_like(like), np.zeros_like(like), 0, lr

    def step(self, x, g, touched=slice(None), beta1=0.9, beta2=0.999, eps=1e-8):
        self.t += 1
        x, g = np.array(x), np.asarray(g)
        self.m[touched] = beta1 * self.m[touched] + (1 - beta1) * g[touched]
        self.v[touched] = beta2 * self.v[touched] + (1 - beta2) * g[touched] ** 2
        mean, var = self.m[touched] / (1 - beta1**self.t), self.v[touched] / (1 - beta2**self.t)
        x[touched] -= self.lr * mean / (np.sqrt(var) + eps)
        return x


def move_phi(phi, grad, lr, adam=None):
    """One Adam step of Φ, and the optimiser for the next."""
    x, unravel = ravel_pytree(jax.tree.map(jnp.asarray, phi))
    adam = adam or Adam(x, lr)
    return jax.tree.map(np.asarray, unravel(jnp.asarray(adam.step(x, ravel_pytree(grad)[0])))), adam


def bound(theta, radius=1.0):
    """gaussian.Bound on every row: mean into the ball, s floored, ‖s²‖ ≤ 1 by scaling s, floored again."""
    theta = np.array(theta)
    h = theta.shape[1] // 2
    for row in theta:
        norm = np.linalg.norm(row[:h])
        total = np.sum(np.maximum(row[h:], MIN_STDDEV) ** 4)
        if abs(norm - radius) < 1e-4 or abs(total - 1) < 1e-4 or np.min(abs(row[h:] - MIN_STDDEV)) < 1e-4:
            raise Unclear("a bound")
        if norm > radius:
            row[:h] *= radius / norm
        row[h:] = np.maximum(row[h:], MIN_STDDEV)
        if total > 1:
            row[h:] = np.maximum(row[h:] * total**-0.25, MIN_STDDEV)
    return theta


def way_bound(theta, kind, signed, radius=1.0):
    """The other bounds: s floored unless it is signed; ‖μ‖ and ‖s‖ (stddev), ‖[μ; s]‖ (joint), or ‖μ‖ and ‖s²‖ (sigma)
    scaled down; s floored again."""
    theta = np.array(theta)
    h = theta.shape[1] // 2

    def into(x, length, most):
        if abs(length - most) < 1e-4:
            raise Unclear("a bound")
        if length > most:
            x *= most / length

    def floor(s):
        if not signed:
            s[:] = np.maximum(s, MIN_STDDEV)

    for row in theta:
        mean, s = row[:h], row[h:]
        floor(s)
        if kind == "joint":
            into(row, np.linalg.norm(row), radius)
        else:
            into(mean, np.linalg.norm(mean), radius)
            into(s, np.linalg.norm(s) if kind == "stddev" else np.linalg.norm(s**2) ** 0.5, radius)
        floor(s)
    return theta


# ---- checks
# --------------------------------------------------------------------------------------------------------------


def verify(name, f, x, grad, tol=1e-6):
    """Fails unless grad is ∂f/∂x by central finite differences. x and grad are arrays or trees of them."""
    flat, unravel = ravel_pytree(jax.tree.map(jnp.asarray, x))
    want, _ = ravel_pytree(jax.tree.map(jnp.asarray, grad))
    flat, want, delta = np.asarray(flat), np.asarray(want), 1e-5

    def at(i, change):
        moved = flat.copy()
        moved[i] += change
        return float(f(unravel(jnp.asarray(moved))))

    got = np.array([(at(i, delta) - at(i, -delta)) / (2 * delta) for i in range(flat.size)])
    off = float(np.max(np.abs(got - want)))
    limit = tol * float(np.max(np.abs(want))) + 2e-9
    assert off <= limit, f"{name}: the gradient is {off} away from finite differences, {limit} allowed"


def clear(x, at=0.0, by=CLEAR, what="a hinge argument"):
    if np.min(np.abs(np.asarray(x) - at)) < by:
        raise Unclear(what)


def well_conditioned(g):
    """No entry is so small that rounding decides the sign of Adam's step."""
    g = np.abs(np.asarray(ravel_pytree(g)[0]))
    if g.max() == 0 or np.any((g > 0) & (g < SMALL * g.max())):
        raise Unclear("a gradient near zero")


def need(condition, what):
    if not condition:
        raise Unclear(what)


def first_clear(build):
    """build(rng) for the first seed whose draw is clear of every kink."""
    for seed in range(3000):
        try:
            return {"seed": seed, **build(np.random.RandomState(seed))}
        except Unclear:
            pass
    raise AssertionError("no seed gives a clear case")


# ---- drawing inputs
# -------------------------------------------------------------------------------------------------------


def grid(x, bits=12):
    return np.round(np.asarray(x) * 2.0**bits) / 2.0**bits


def draw_rows(rng, n, h, radius=(0.3, 0.9), stddev=(0.05, 0.6)):
    mu = rng.randn(n, h)
    mu *= (rng.uniform(*radius, size=n) / np.linalg.norm(mu, axis=1))[:, None]
    return grid(np.concatenate([mu, rng.uniform(*stddev, size=(n, h))], axis=1))


def draw_phi(rng, form, h, hidden, scale=0.5, b2=0.3):
    width = h if form == "add" else 3 * h
    return {
        "w1": grid(scale * rng.randn(hidden, width)),
        "b1": grid(scale * rng.randn(hidden)),
        "w2": grid(scale * rng.randn(hidden)),
        "b2": float(grid(b2 + 0.1 * rng.randn())),
    }


def draw_batch(rng, pairs, h):
    """pairs: [(anchor, positive, [negatives])], with equal numbers of negatives. Each appearance has its own ε."""
    p, n = len(pairs), len(pairs[0][2])
    eps = grid(rng.randn(p, 2 + n, h), bits=6)
    return {
        "a": np.array([x[0] for x in pairs]),
        "p": np.array([x[1] for x in pairs]),
        "q": np.array([x[2] for x in pairs]),
        "ea": eps[:, 0],
        "ep": eps[:, 1],
        "eq": eps[:, 2:],
    }


def named(batch):
    """The rows a batch names, in order."""
    return np.unique(np.concatenate([batch["a"], batch["p"], batch["q"].ravel()]))


# ---- writing
# ---------------------------------------------------------------------------------------------------------------


def flat(x):
    return np.asarray(x).ravel().tolist()


def phi_out(phi):
    return {"w1": flat(phi["w1"]), "b1": flat(phi["b1"]), "w2": flat(phi["w2"]), "b2": float(phi["b2"])}


def pairs_out(batch, eps=True):
    out = []
    for i in range(len(batch["a"])):
        pair = {"anchor": int(batch["a"][i]), "positive": int(batch["p"][i]), "negatives": batch["q"][i].tolist()}
        if eps:
            pair |= {
                "eps_anchor": batch["ea"][i].tolist(),
                "eps_positive": batch["ep"][i].tolist(),
                "eps_negatives": batch["eq"][i].tolist(),
            }
        out.append(pair)
    return out
