"""Golden vectors for core/pmlam, core/margin, core/gaussian and core/recommend, by automatic differentiation.

Run:

    pip install jax==0.10.2
    python golden.py            # writes the JSON files next to this script, a few minutes
    python golden.py --check    # writes nothing; fails if a file on disk differs by more than 1e-12

Every derivative here is jax.grad of the loss as the paper defines it (reference.py, next to this script), in float64.
None of the closed forms that the Go code uses appears in either file, so agreement means something: the derivative by Φ
is taken through the whole unrolled step Θ̃(Φ) = Θ − α ∇_Θ J_inner(Θ, Φ). Each derivative is compared with central
finite differences before it is written.

Inputs are multiples of 2⁻¹² (eps of 2⁻⁶), so float32 holds them exactly. No hinge argument lies within 1e-3 of zero, no
gradient that Adam sees is so small that rounding decides its sign: a float32 implementation takes the same branches.

Symbols: U users, I items, N = U+I entities (users first), h latent dimension, a row θ = [μ; s] of 2h, H hidden width,
S length of the network's input (3h, or h for the form "add"). Matrices are flat, row after row.

Files (README.md has every key):

    margin.json       the margin, ∂m/∂x_e, ∂m/∂Φ; its derivative D along (v_a, v_p, v_q), ∂D/∂Φ
    step.json         one complete training step: margins, J_inner, G, Θ̃, J_outer, ∂J_outer/∂Φ, then Adam and the bounds
    steps.json        five consecutive steps with lazy Adam
    ways.json         one step with bounds, inner losses, proxies, outer losses and outer batches other than the printed
    three.json        one step of three relations at once, each with its own Φ and proxy
    hinge_fixed.json  the hinge with m = 2, and its gradient
    softmax.json      log(1 + Σ_q exp((d_p − d_q)/τ)), and its gradient
    composed.json     the softmax loss with users composed from their items
    foldin.json       one user's row against frozen items
"""

import functools
import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ among the vectors

from reference import (  # noqa: E402
    MIN_STDDEV,
    Adam,
    arguments,
    bound,
    clear,
    draw_batch,
    draw_phi,
    draw_rows,
    first_clear,
    flat,
    grid,
    hinge_loss,
    inner,
    margin,
    margins,
    move_phi,
    named,
    need,
    outer,
    outer_of_phi,
    pairs_out,
    phi_out,
    rows,
    softmax_loss,
    verify,
    w2_squared,
    way_bound,
    way_gradient,
    way_inner,
    way_outer,
    way_proxy,
    well_conditioned,
)

# ---- 1. margin
# -------------------------------------------------------------------------------------------------------------


def margin_case(form, h, hidden, scale, b2):
    def build(rng):
        phi = draw_phi(rng, form, h, hidden, scale, b2)
        xs = [grid(0.7 * rng.randn(h)) for _ in range(3)]
        vs = [grid(rng.randn(h)) for _ in range(3)]

        def m_of(phi, xs):
            return margin(phi, form, *xs)

        def d_of(phi, xs):
            """D = Σ_e ∂m/∂x_e · v_e, the derivative of m along v, by forward mode."""
            return jax.jvp(lambda y: m_of(phi, y), (xs,), (vs,))[1]

        d_of = jax.jit(d_of)
        by_phi, by_x = jax.grad(m_of, argnums=(0, 1))(phi, xs)
        d_by_phi = jax.grad(d_of)(phi, xs)
        verify("margin by x", lambda y: m_of(phi, y), xs, by_x)
        verify("margin by Φ", lambda y: m_of(y, xs), phi, by_phi)
        verify("D by Φ", lambda y: d_of(y, xs), phi, d_by_phi)
        assert np.isclose(float(d_of(phi, xs)), sum(float(g @ v) for g, v in zip(by_x, vs)), rtol=1e-12)
        return {
            "input": form, "h": h, "hidden": hidden, "phi": phi_out(phi),
            "x_a": flat(xs[0]), "x_p": flat(xs[1]), "x_q": flat(xs[2]),
            "v_a": flat(vs[0]), "v_p": flat(vs[1]), "v_q": flat(vs[2]),
            "margin": float(m_of(phi, xs)),
            "dm_dx_a": flat(by_x[0]), "dm_dx_p": flat(by_x[1]), "dm_dx_q": flat(by_x[2]),
            "dm_dphi": phi_out(by_phi),
            "directional": float(d_of(phi, xs)), "ddirectional_dphi": phi_out(d_by_phi),
        }  # fmt: skip

    return first_clear(build)


def margin_cases():
    shapes = [(4, 3, 0.5, 0.3), (5, 6, 1.0, -1.0), (4, 5, 1.5, 3.0)]  # h, H, spread of Φ, centre of b2
    return [margin_case(form, *shape) for form in ("difference", "cat", "add") for shape in shapes]


# ---- 2, 3. steps
# -----------------------------------------------------------------------------------------------------------


@functools.partial(jax.jit, static_argnames=("form", "deterministic"))
def quantities(theta, phi, batch, alpha, lam, form, deterministic):
    """Everything about one relation at (Θ, Φ), compiled in one piece because the search for clear seeds calls it
    often."""
    opt = {"input": form, "alpha": alpha, "deterministic": deterministic}
    m = margins(theta, phi, batch, opt)
    g = jax.grad(inner)(theta, phi, batch, opt)
    tilde = theta - alpha * g
    by_phi = jax.grad(outer_of_phi)
    return {
        "margins": m,
        "inner_arguments": arguments(theta, m, batch, opt),
        "j_inner": inner(theta, phi, batch, opt),
        "grad_theta": g,
        "theta_proxy": tilde,
        "outer_arguments": arguments(tilde, 1.0, batch, opt),
        "j_outer": outer(tilde, batch, opt),
        "grad_proxy": jax.grad(outer)(tilde, batch, opt),
        "grad_phi_outer": by_phi(phi, theta, batch, opt, 0.0),
        "grad_phi": by_phi(phi, theta, batch, opt, lam),
        "grad_phi_margin_constant": by_phi(phi, theta, batch, opt, lam, margin_is_constant=True),
    }


def relation_step(name, theta, phi, batch, opt, lam):
    """The quantities of one relation as they are written, then G, ∂/∂Φ and the inner arguments as arrays, and a
    function
    that compares the derivatives with finite differences (slow, so it is called once the draw is known to be clear)."""
    x = quantities(theta, phi, batch, opt["alpha"], lam, opt["input"], opt["deterministic"])
    x = jax.tree.map(np.asarray, x)
    args_in, args_out, g, by_phi = x["inner_arguments"], x["outer_arguments"], x["grad_theta"], x["grad_phi"]
    clear(args_in)
    clear(args_out)
    need(np.any((args_in > 0) & (args_out > 0)), "a triplet active in both")
    well_conditioned(by_phi)
    # The regularisation adds 2λΦ; without ∂m/∂Θ nothing else reaches Φ.
    for p, g0, g1, g2 in zip(
        *map(jax.tree.leaves, (phi, x["grad_phi_outer"], x["grad_phi"], x["grad_phi_margin_constant"]))
    ):
        assert np.allclose(g1, g0 + 2 * lam * np.asarray(p), rtol=1e-13, atol=1e-16)
        assert np.allclose(g2, 2 * lam * np.asarray(p), rtol=1e-15, atol=0)

    def at(key, theta, phi):
        return quantities(theta, phi, batch, opt["alpha"], lam, opt["input"], opt["deterministic"])[key]

    def check():
        verify(name + ": G", lambda y: at("j_inner", y, phi), theta, g)
        verify(name + ": v", lambda y: outer(y, batch, opt), x["theta_proxy"], x["grad_proxy"])
        verify(name + ": ∂J_outer/∂Φ", lambda y: at("j_outer", theta, y), phi, x["grad_phi_outer"])

    out = {"pairs": pairs_out(batch)}
    for key, value in x.items():
        if key.startswith("grad_phi"):
            out[key] = phi_out(value)
        elif key in ("margins", "inner_arguments", "outer_arguments"):
            out[key] = value.tolist()
        else:
            out[key] = flat(value) if value.ndim else float(value)
    return out, g, by_phi, args_in, check


def step_case(name, form, h, hidden, pairs, alpha, lam, deterministic=False, outside=False):
    opt = {"input": form, "alpha": alpha, "deterministic": deterministic}
    lr = 0.001

    def build(rng):
        theta = draw_rows(rng, 7, h)
        if outside:
            # Rows 0, 3 and 5: the mean leaves the ball. Rows 1 and 4: ‖s²‖ > 1, with one s near the floor in row 4,
            # which the scaling pushes below it again. Row 6: an s that one step of lr takes below the floor, or away.
            for e in (0, 3, 5):
                theta[e, :h] = grid(theta[e, :h] * 1.15 / np.linalg.norm(theta[e, :h]))
            theta[1, h:] = theta[4, h:] = grid(rng.uniform(0.85, 1.05, size=h))
            theta[4, h + 1] = theta[6, h] = 6 / 4096
        phi = draw_phi(rng, form, h, hidden)
        batch = draw_batch(rng, pairs, h)
        out, g, by_phi, args, check = relation_step(name, theta, phi, batch, opt, lam)
        need(np.any(args < 0), "an inactive triplet")
        well_conditioned(g)
        if deterministic:
            assert not g[:, h:].any()
        moved = Adam(theta, lr).step(theta, g, named(batch))
        after = bound(moved)
        rest = np.setdiff1d(np.arange(7), named(batch))
        # Whether rows outside the batch are bounded makes no difference.
        assert np.array_equal(after[rest], theta[rest])
        if outside:
            # Every named row has a contribution, so it makes no difference which of the two sets is bounded.
            need(g[named(batch)].any(axis=1).all(), "a contribution to every row")
            need(moved[6, h] < MIN_STDDEV and after[4, h + 1] == MIN_STDDEV, "floored standard deviations")
        else:
            need(np.array_equal(after, moved), "a step that stays inside the bounds")
        phi_after = move_phi(phi, by_phi, lr)[0]
        check()
        return {
            "name": name, "input": form, "deterministic": deterministic, "users": 3, "items": 4, "h": h,
            "hidden": hidden, "alpha": alpha, "lambda": lam, "learning_rate": lr, "radius": 1.0,
            "theta": flat(theta), "phi": phi_out(phi), **out,
            "theta_moved": flat(moved), "theta_after": flat(after),
            "phi_after": phi_out(phi_after),
        }  # fmt: skip

    return first_clear(build)


PAIRS_2 = [(0, 3, [5, 6]), (0, 4, [6, 5]), (1, 4, [3, 6]), (2, 5, [4, 6])]
PAIRS_3 = [(0, 3, [5, 6, 6]), (1, 5, [3, 6, 3]), (2, 6, [3, 4, 5])]  # the same negative twice, with its own ε
PAIRS_ALL = [(0, 3, [5, 4]), (1, 4, [6, 3]), (2, 5, [6, 4])]


def step_cases():
    return [
        step_case("difference", "difference", 4, 5, PAIRS_2, 0.001, 0.001),
        step_case("difference, 3 negatives, one twice", "difference", 5, 3, PAIRS_3, 0.1, 0.001),
        step_case("cat", "cat", 4, 6, PAIRS_2, 0.1, 0.001),
        step_case("add", "add", 5, 4, PAIRS_3, 0.1, 0.01),
        step_case("difference, deterministic", "difference", 4, 4, PAIRS_2, 0.1, 0.001, deterministic=True),
        step_case("cat, deterministic", "cat", 4, 3, PAIRS_3, 0.1, 0.001, deterministic=True),
        step_case("add, deterministic", "add", 4, 4, PAIRS_2, 0.1, 0.001, deterministic=True),
        step_case("outside the bounds", "difference", 4, 4, PAIRS_ALL, 0.1, 0.001, outside=True),
        step_case("no regularisation", "difference", 4, 4, PAIRS_2, 0.1, 0.0),
    ]


SCHEDULE = [
    [(0, 3, [5, 6]), (1, 4, [6, 3])],  # user 2 keeps its state
    [(2, 5, [3, 4]), (0, 4, [5, 3])],  # user 1 and item 6
    [(1, 5, [3, 6]), (2, 6, [4, 3])],  # user 0
    [(0, 3, [6, 5]), (1, 4, [3, 6]), (2, 6, [5, 3])],
    [(0, 4, [6, 6]), (2, 5, [3, 3])],  # user 1; a negative twice
]


def steps_case(name, form, h, hidden, alpha, lam, lr, deterministic=False):
    opt = {"input": form, "alpha": alpha, "deterministic": deterministic}

    def build(rng):
        theta = first = draw_rows(rng, 7, h, radius=(0.8, 0.99))
        phi = first_phi = draw_phi(rng, form, h, hidden, b2=1.0)
        opt_theta, opt_phi = Adam(theta, lr), None
        steps, checks, inactive, scaled = [], [], 0, 0
        for pairs in SCHEDULE:
            batch = draw_batch(rng, pairs, h)
            out, g, by_phi, args, check = relation_step(name, theta, phi, batch, opt, lam)
            checks.append(check)
            well_conditioned(g)
            # Every named row has an active triplet, so "named in the batch" and "has a contribution" are one set.
            need(np.array_equal(np.flatnonzero(g.any(axis=1)), named(batch)), "a contribution to every row")
            inactive += int(np.sum(args < 0))
            moved = opt_theta.step(theta, g, named(batch))
            after = bound(moved)
            scaled += int(not np.array_equal(after, moved))
            theta = after
            phi, opt_phi = move_phi(phi, by_phi, lr, opt_phi)
            keep = ("pairs", "margins", "j_inner", "j_outer", "grad_theta", "grad_phi")
            steps.append({k: out[k] for k in keep} | {"theta_after": flat(theta), "phi_after": phi_out(phi)})
        need(inactive > 0, "an inactive triplet")
        need(scaled > 0, "a mean that the bounds scale")
        for check in checks:
            check()
        return {
            "name": name, "input": form, "deterministic": deterministic, "users": 3, "items": 4, "h": h,
            "hidden": hidden, "alpha": alpha, "lambda": lam, "learning_rate": lr, "radius": 1.0,
            "theta": flat(first), "phi": phi_out(first_phi), "steps": steps,
        }  # fmt: skip

    return first_clear(build)


def steps_cases():
    return [
        steps_case("difference", "difference", 4, 3, 0.02, 0.001, 0.01),
        steps_case("cat, deterministic", "cat", 4, 3, 0.02, 0.001, 0.01, deterministic=True),
    ]


WAY = {
    "input": "difference", "alpha": 0.1, "deterministic": False, "smooth": 0.0, "unit": False, "outer_softmax": 0.0,
    "outer_margin": 1.0, "outer": "same", "bound": "sigma", "signed": False,
}  # fmt: skip


def way_case(name, h, hidden, pairs, **changes):
    way, lam, lr = WAY | changes, 0.001, 0.001

    def build(rng):
        theta = draw_rows(rng, 9, h)
        if way["signed"]:
            theta[:, h:] *= np.where(rng.rand(9, h) < 0.5, -1, 1)
        phi, batch = draw_phi(rng, way["input"], h, hidden), draw_batch(rng, pairs, h)
        outside = dict(batch)
        if way["outer"] == "held-out":  # rows 7 and 8, which the inner loss does not name
            outside["p"] = 7 + np.arange(len(pairs)) % 2
        if way["outer"] == "rotated":
            outside["q"] = np.roll(batch["q"], -1, axis=0)
        frozen = margins(theta, phi, batch, way)
        args = np.asarray(arguments(theta, frozen, batch, way))

        @jax.jit
        def j_outer(phi):
            return way_outer(way_proxy(theta, phi, batch, way), outside, way)

        @jax.jit
        def j_inner(theta):
            m = frozen if way["smooth"] else margins(theta, phi, batch, way)
            return way_inner(theta, m, batch, way)

        tilde = np.asarray(way_proxy(theta, phi, batch, way))
        if not way["smooth"]:
            clear(args)
        if not way["outer_softmax"]:
            clear(arguments(tilde, way["outer_margin"], outside, way))
        g = np.asarray(way_gradient(theta, phi, batch, way))
        v = np.asarray(jax.grad(way_outer)(tilde, outside, way))
        outer_grad = jax.tree.map(np.asarray, jax.grad(j_outer)(phi))
        by_phi = jax.tree.map(lambda d, p: d + 2 * lam * np.asarray(p), outer_grad, phi)
        well_conditioned(by_phi)
        well_conditioned(g)
        moved = Adam(theta, lr).step(theta, g, named(batch))
        after = np.array(theta)
        after[named(batch)] = way_bound(moved[named(batch)], way["bound"], way["signed"])
        if way["bound"] != "sigma":
            need(not np.array_equal(after, moved), "a row that the bound scales")
        phi_after = move_phi(phi, by_phi, lr)[0]
        verify(name + ": G", j_inner, theta, g)
        verify(name + ": v", lambda y: way_outer(y, outside, way), tilde, v)
        verify(name + ": ∂J_outer/∂Φ", j_outer, phi, outer_grad)
        return {
            "name": name, **way, "users": 3, "items": 6, "h": h, "hidden": hidden, "lambda": lam, "learning_rate": lr,
            "radius": 1.0, "theta": flat(theta), "phi": phi_out(phi), "pairs": pairs_out(batch),
            "outer_positives": outside["p"].tolist(), "outer_negatives": outside["q"].tolist(),
            "margins": np.asarray(frozen).tolist(), "j_inner": float(j_inner(theta)), "j_outer": float(j_outer(phi)),
            "grad_theta": flat(g), "theta_proxy": flat(tilde), "grad_proxy": flat(v),
            "grad_phi_outer": phi_out(outer_grad), "theta_after": flat(after), "phi_after": phi_out(phi_after),
        }  # fmt: skip

    return first_clear(build)


def way_cases():
    stable = {"smooth": 0.25, "unit": True}
    return [
        way_case("unit proxy", 4, 4, PAIRS_2, unit=True),
        way_case("smooth hinge", 4, 4, PAIRS_2, smooth=0.25),
        way_case("smooth, unit", 4, 5, PAIRS_3, **stable),
        way_case("smooth, unit, cat", 4, 3, PAIRS_2, **stable, input="cat"),
        way_case("smooth, unit, add", 4, 4, PAIRS_2, **stable, input="add"),
        way_case("outer margin 2", 4, 4, PAIRS_2, outer_margin=2.0),
        way_case("outer softmax", 4, 4, PAIRS_2, outer_softmax=0.5),
        way_case("held-out positives", 4, 4, PAIRS_2, outer="held-out"),
        way_case("rotated negatives", 4, 4, PAIRS_2, outer="rotated"),
        way_case("stddev bound", 4, 4, PAIRS_ALL, bound="stddev"),
        way_case("stddev bound, signed", 4, 4, PAIRS_ALL, bound="stddev", signed=True),
        way_case("joint bound", 4, 4, PAIRS_ALL, bound="joint"),
        way_case("joint bound, signed", 4, 4, PAIRS_ALL, bound="joint", signed=True),
        way_case("sigma bound, signed", 4, 4, PAIRS_ALL, signed=True),
        way_case("all", 4, 4, PAIRS_2, **stable, outer_softmax=0.5, outer="held-out", bound="joint", signed=True),
    ]


THREE = {
    "user_item": [(0, 5, [8, 10]), (1, 6, [5, 9]), (3, 8, [6, 7])],
    "user_user": [(0, 1, [3, 2]), (1, 0, [2, 3]), (3, 4, [1, 0])],
    "item_item": [(5, 6, [9, 10]), (8, 7, [5, 6]), (6, 5, [8, 10])],
}


def three_case(form, h, hidden, alpha, lam):
    opt = {"input": form, "alpha": alpha, "deterministic": False}
    lr = 0.001

    def build(rng):
        theta = draw_rows(rng, 11, h)
        total, touched, checks, relations, inactive = np.zeros_like(theta), [], [], {}, 0
        for name, pairs in THREE.items():
            phi = draw_phi(rng, form, h, hidden)
            batch = draw_batch(rng, pairs, h)
            out, g, by_phi, args, check = relation_step(name, theta, phi, batch, opt, lam)
            total += g
            inactive += int(np.sum(args < 0))
            touched.append(named(batch))
            checks.append(check)
            relations[name] = {"phi": phi_out(phi), **out, "phi_after": phi_out(move_phi(phi, by_phi, lr)[0])}
        need(inactive > 0, "an inactive triplet")
        well_conditioned(total)
        theta_after = bound(Adam(theta, lr).step(theta, total, np.unique(np.concatenate(touched))))
        for check in checks:
            check()
        return {
            "input": form, "deterministic": False, "users": 5, "items": 6, "h": h, "hidden": hidden, "alpha": alpha,
            "lambda": lam, "learning_rate": lr, "radius": 1.0, "theta": flat(theta), "relations": relations,
            "j_inner": sum(r["j_inner"] for r in relations.values()),
            "j_outer": sum(r["j_outer"] for r in relations.values()),
            "grad_theta": flat(total), "theta_after": flat(theta_after),
        }  # fmt: skip

    return first_clear(build)


def three_cases():
    return [three_case("difference", 4, 3, 0.1, 0.001), three_case("add", 4, 4, 0.001, 0.001)]


# ---- 4, 5. losses without a network
# -------------------------------------------------------------------------------------


def ranking_case(name, loss, constants, h, pairs, deterministic=False):
    """A fixed hinge or a softmax over a batch; `loss(dp, dq)` gives one value per pair."""

    def build(rng):
        theta = draw_rows(rng, 7, h)
        batch = {k: x for k, x in draw_batch(rng, pairs, h).items() if not k.startswith("e")}

        def distances(theta):
            a, p, q = rows(theta, batch)
            return w2_squared(a, p, deterministic)[:, 0], w2_squared(a, q, deterministic)

        def total(theta):
            return jnp.sum(loss(*distances(theta)))

        dp, dq = distances(theta)
        if "margin" in constants:
            clear(dp[:, None] - dq + constants["margin"])
            need(np.any(dp[:, None] - dq + constants["margin"] < 0), "an inactive triplet")
        grad = jax.grad(total)(theta)
        by_dp, by_dq = jax.grad(lambda a, b: jnp.sum(loss(a, b)), argnums=(0, 1))(dp, dq)
        verify(name, total, theta, grad)
        return {
            "name": name, "deterministic": deterministic, "users": 3, "items": 4, "h": h, **constants,
            "theta": flat(theta), "pairs": pairs_out(batch, eps=False),
            "dp": flat(dp), "dq": np.asarray(dq).tolist(), "losses": flat(loss(dp, dq)), "loss": float(total(theta)),
            "dloss_ddp": flat(by_dp), "dloss_ddq": np.asarray(by_dq).tolist(), "grad_theta": flat(grad),
        }  # fmt: skip

    return first_clear(build)


def hinge_cases():
    two = lambda dp, dq: hinge_loss(dp, dq, 2.0)  # noqa: E731
    return [
        ranking_case("m=2", two, {"margin": 2.0}, 4, PAIRS_2),
        ranking_case("m=2, 3 negatives, one twice", two, {"margin": 2.0}, 5, PAIRS_3),
        ranking_case("m=2, deterministic", two, {"margin": 2.0}, 4, PAIRS_2, deterministic=True),
        ranking_case("m=0.5", lambda dp, dq: hinge_loss(dp, dq, 0.5), {"margin": 0.5}, 4, PAIRS_2),
    ]


def softmax_cases():
    soft = lambda dp, dq: softmax_loss(dp, dq, 0.7)  # noqa: E731
    return [
        ranking_case("tau=0.7", soft, {"temperature": 0.7}, 4, PAIRS_2),
        ranking_case("tau=0.7, 3 negatives, one twice", soft, {"temperature": 0.7}, 5, PAIRS_3),
        ranking_case("tau=0.7, deterministic", soft, {"temperature": 0.7}, 4, PAIRS_2, deterministic=True),
    ]


def softmax_distances():
    """The loss by distances alone, where a float32 exponential overflows or vanishes."""
    out = []
    for dp, dq, tau in [
        (1.0, [1.0, 1.0], 0.7),
        (0.25, [3.5, 2.25, 0.5], 0.5),
        (128.0, [0.0, 1.0, 127.5], 0.7),
        (0.0, [128.0, 64.0], 0.7),
        (2.0, [1.0, 3.0], 8.0),
    ]:
        x, y = jnp.asarray(dp), jnp.asarray(dq)
        by_dp, by_dq = jax.grad(softmax_loss, argnums=(0, 1))(x, y, tau)
        out.append(
            {"dp": dp, "dq": dq, "temperature": tau, "loss": float(softmax_loss(x, y, tau)),
             "dloss_ddp": float(by_dp), "dloss_ddq": flat(by_dq)}
        )  # fmt: skip
    return out


# ---- 6. composed users
# -----------------------------------------------------------------------------------------------------


def project(row, radius):
    """Π of gaussian.Compose: the mean into the ball, s floored (a floored s passes no gradient)."""
    h = row.shape[0] // 2
    norm2 = jnp.sum(row[:h] ** 2)
    mean = jnp.where(norm2 > radius**2, radius / jnp.sqrt(norm2), 1.0) * row[:h]
    return jnp.concatenate([mean, jnp.where(row[h:] > MIN_STDDEV, row[h:], MIN_STDDEV)])


LIKES = [[0, 1, 2], [1, 3], [2, 3, 4, 5]]  # user 1 has two likes: one is left without the target
COMPOSED_PAIRS = [(0, 1, [4, 5, 6]), (0, 2, [3, 6, 5]), (1, 3, [0, 6, 2]), (1, 1, [5, 4, 0]), (2, 4, [0, 1, 6])]


def composed_case(name, free, weight, h, tau=0.7, radius=1.0):
    def build(rng):
        items = draw_rows(rng, 7, h, radius=(0.2, 0.9))
        parts = grid(np.concatenate([0.3 * rng.randn(3, h), 0.4 * rng.randn(3, h)], axis=1)) if free else None

        def before(parts, items, u, p):
            """free_u + w/(n−1) · Σ_{j ∈ S_u, j ≠ p} θ_j."""
            mean = sum(items[j] for j in LIKES[u] if j != p) * (weight / (len(LIKES[u]) - 1))
            return mean if parts is None else parts[u] + mean

        def losses(parts, items):
            out = []
            for u, p, q in COMPOSED_PAIRS:
                a = project(before(parts, items, u, p), radius)
                out.append(softmax_loss(w2_squared(a, items[p]), w2_squared(a, items[np.array(q)]), tau))
            return jnp.stack(out)

        @jax.jit
        def total(parts, items):
            return jnp.sum(losses(parts, items))

        raw = np.stack([before(parts, items, u, p) for u, p, _ in COMPOSED_PAIRS])
        norms = np.linalg.norm(raw[:, :h], axis=1)
        clear(norms, at=radius, what="the ball")
        clear(raw[:, h:], at=MIN_STDDEV, what="the floor")
        need(np.any(norms > radius) and np.any(norms < radius), "some means scaled, some not")
        floored = int(np.sum(raw[:, h:] < MIN_STDDEV))
        need((floored > 0) == free, "floored standard deviations where there is a free part")
        grad_items = jax.grad(total, argnums=1)(parts, items)
        verify(name + ": items", lambda y: total(parts, y), items, grad_items)
        grad_free = None
        if free:
            grad_free = jax.grad(total)(parts, items)
            verify(name + ": free", lambda y: total(y, items), parts, grad_free)
            grad_free = flat(grad_free)
        composed = [project(jnp.asarray(r), radius) for r in raw]
        return {
            "name": name, "users": 3, "items": 7, "h": h, "weight": weight, "temperature": tau, "radius": radius,
            "free_rows": flat(parts) if free else None, "item_rows": flat(items), "likes": LIKES,
            "pairs": [{"user": u, "positive": p, "negatives": q} for u, p, q in COMPOSED_PAIRS],
            "scales": [float(min(1.0, radius / n)) for n in norms], "floored": floored,
            "composed": [flat(c) for c in composed],
            "losses": flat(losses(parts, items)), "loss": float(total(parts, items)),
            "grad_items": flat(grad_items), "grad_free": grad_free,
        }  # fmt: skip

    return first_clear(build)


def composed_cases():
    return [
        composed_case("free part, w=2", True, 2.0, 4),
        composed_case("free part, w=1", True, 1.0, 5),
        composed_case("no free part, w=2", False, 2.0, 4),
        composed_case("no free part, w=1, radius 0.5", False, 1.0, 5, radius=0.5),
        composed_case("free part, w=2, radius 1.5", True, 2.0, 4, radius=1.5),
    ]


# ---- 7. fold-in
# --------------------------------------------------------------------------------------------------------------


def foldin_case(name, loss, constants, h, leaves=False):
    likes, negatives, lr = [0, 2, 5], [1, 3, 4, 6], 0.05

    def build(rng):
        items = draw_rows(rng, 7, h)
        row = draw_rows(rng, 1, h, radius=(0.99, 0.999) if leaves else (0.3, 0.8))[0]

        def distances(row):
            return w2_squared(row, items[np.array(likes)]), w2_squared(row, items[np.array(negatives)])

        def total(row):
            dp, dq = distances(row)
            return jnp.sum(loss(dp, jnp.broadcast_to(dq, (len(likes), len(negatives)))))

        dp, dq = map(np.asarray, distances(row))
        if "margin" in constants:
            clear(dp[:, None] - dq + constants["margin"])
            need(np.any(dp[:, None] - dq + constants["margin"] < 0), "an inactive triplet")
        grad = np.asarray(jax.grad(total)(row))
        well_conditioned(grad)
        moved = Adam(row, lr).step(row, grad)
        after = bound(moved[None])[0]
        need((np.linalg.norm(moved[:h]) > 1) == leaves, "a mean on the right side of the sphere")
        verify(name, total, row, grad)
        return {
            "name": name, "items": 7, "h": h, **constants, "learning_rate": lr, "radius": 1.0, "row": flat(row),
            "item_rows": flat(items), "likes": likes, "negatives": negatives, "dp": flat(dp), "dq": flat(dq),
            "loss": float(total(row)), "grad": flat(grad), "row_moved": flat(moved), "row_after": flat(after),
        }  # fmt: skip

    return first_clear(build)


def foldin_cases():
    soft = lambda dp, dq: softmax_loss(dp, dq, 0.7)  # noqa: E731
    two = lambda dp, dq: hinge_loss(dp, dq, 2.0)  # noqa: E731
    return [
        foldin_case("softmax", soft, {"kind": "softmax", "temperature": 0.7}, 4),
        foldin_case("hinge", two, {"kind": "hinge", "margin": 2.0}, 5),
        foldin_case("softmax, leaves the ball", soft, {"kind": "softmax", "temperature": 0.7}, 4, leaves=True),
        foldin_case("hinge, leaves the ball", two, {"kind": "hinge", "margin": 2.0}, 4, leaves=True),
    ]


# ---- main
# ------------------------------------------------------------------------------------------------------------------


def same(a, b):
    """Equal in structure, and in numbers to 1e-12 (another CPU may round the last digit differently)."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-12 * max(1.0, abs(a), abs(b))
    return type(a) is type(b) and a == b


def main():
    here = Path(__file__).parent
    check = sys.argv[1:] == ["--check"]
    files = {
        "margin": {"cases": margin_cases()},
        "step": {"cases": step_cases()},
        "steps": {"cases": steps_cases()},
        "ways": {"cases": way_cases()},
        "three": {"cases": three_cases()},
        "hinge_fixed": {"cases": hinge_cases()},
        "softmax": {"cases": softmax_cases(), "distances": softmax_distances()},
        "composed": {"cases": composed_cases()},
        "foldin": {"cases": foldin_cases()},
    }
    total = 0
    for name, content in files.items():
        # One case per line: small, and still readable in a diff.
        parts = [
            json.dumps(key)
            + ":[\n"
            + ",\n".join(json.dumps(c, separators=(",", ":"), allow_nan=False) for c in cases)
            + "\n]"
            for key, cases in content.items()
        ]
        text = "{" + ",\n".join(parts) + "}\n"
        path = here / (name + ".json")
        if check:
            assert same(json.loads(path.read_text()), json.loads(text)), f"{path.name} differs: run without --check"
        else:
            path.write_text(text)
        total += len(text)
        print(f"{path.name:18} {len(content['cases']):2} cases {len(text):8,} bytes")
    assert total < 1_500_000, "the files are too large"


if __name__ == "__main__":
    main()
