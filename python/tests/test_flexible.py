"""Finite-element results as flexible bodies: frequencies of a beam, the neutral file, and what is refused."""

import numpy as np
import pytest

sp = pytest.importorskip("scipy.sparse")
import scipy.io  # noqa: E402

from linkwork import flexible  # noqa: E402

LENGTH, YOUNG, DENSITY, SIDE = 2.0, 2e11, 7800.0, 0.05


def beam(elements=24):
    """Nodes, mass and stiffness of a free Euler-Bernoulli beam along x with six freedoms at each node."""
    area, second = SIDE**2, SIDE**4 / 12
    shear, torsion = YOUNG / 2.6, 2 * second
    h = LENGTH / elements
    n = 6 * (elements + 1)
    k, m = sp.lil_matrix((n, n)), sp.lil_matrix((n, n))
    bend = YOUNG * second / h**3 * np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h], [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]
    )
    two = np.array([[1, -1], [-1, 1]])
    for e in range(elements):
        a, b = 6 * e, 6 * e + 6
        flip = np.array([1, -1, 1, -1])
        for at, block in (
            ([a + 1, a + 5, b + 1, b + 5], bend),
            ([a + 2, a + 4, b + 2, b + 4], bend * np.outer(flip, flip)),
            ([a, b], YOUNG * area / h * two),
            ([a + 3, b + 3], shear * torsion / h * two),
        ):
            k[np.ix_(at, at)] = k[np.ix_(at, at)].toarray() + block
        half = DENSITY * area * h / 2
        for node in (a, b):
            for i in range(3):
                m[node + i, node + i] += half
            for i, j in ((3, 2 * second), (4, second), (5, second)):
                m[node + i, node + i] += DENSITY * j * h / 2
    nodes = np.zeros((elements + 1, 3))
    nodes[:, 0] = np.linspace(0, LENGTH, elements + 1)
    return nodes, m.tocsr(), k.tocsr()


def test_a_free_beam_has_its_frequencies():
    nodes, m, k = beam()
    body = flexible.reduce(m, k, nodes, {"left": 0, "right": [24]}, modes=20)
    unit = np.sqrt(YOUNG * SIDE**2 / 12 / DENSITY) / LENGTH**2 / (2 * np.pi)
    for i, root in enumerate((4.730041, 7.853205)):
        for found in body.frequencies[2 * i : 2 * i + 2]:
            # masses are lumped: with 24 elements 1 % at the ends
            assert abs(found / (root**2 * unit) - 1) < 0.02
    assert body.frames == {"left": 25, "right": 26}
    assert abs(body.masses.sum() / (DENSITY * SIDE**2 * LENGTH) - 1) < 1e-12
    # free modes carry no momentum
    moved = np.einsum("p,kpi->ki", body.masses, body.modes)
    assert abs(moved).max() < 1e-8


def test_units_and_files(tmp_path):
    nodes, m, k = beam(8)
    si = flexible.reduce(m, k, nodes, {"left": 0}, modes=6)
    # mm, N, s: masses in tonnes, lengths of rotations' forces in mm
    kind = sp.diags(np.tile([1.0, 1, 1, 1e3, 1e3, 1e3], 9))
    scipy.io.mmwrite(tmp_path / "k.mtx", kind @ k @ kind * 1e-3)
    scipy.io.mmwrite(tmp_path / "m.mtx", kind @ m @ kind * 1e-3)
    mm = flexible.reduce(tmp_path / "m.mtx", tmp_path / "k.mtx", nodes * 1e3, {"left": 0}, modes=6, length=1e-3)
    assert np.allclose(mm.frequencies, si.frequencies, rtol=1e-6)
    assert np.allclose(mm.masses, si.masses)
    si.save(tmp_path / "rod.toml")
    back = flexible.load(tmp_path / "rod.toml")
    assert np.array_equal(back.modes, si.modes) and back.frames == si.frames
    header = (tmp_path / "rod.toml").read_text().replace('"mass"', "mass")
    (tmp_path / "rod.toml").write_text(header.replace("mass = ", "mass = 1000"))
    with pytest.raises(flexible.FlexibleError, match="the mass is .* times as much"):
        flexible.load(tmp_path / "rod.toml")


def test_what_cannot_be_a_body_is_refused():
    nodes, m, k = beam(6)
    with pytest.raises(flexible.FlexibleError, match="3 or 6 for each"):
        flexible.reduce(m, k, nodes[:-1], {"left": 0})
    bad = k.tolil()
    bad[0, 6] *= 2
    with pytest.raises(flexible.FlexibleError, match="not symmetric"):
        flexible.reduce(m, bad, nodes, {"left": 0})
    held = k.tolil()
    held[0, 0] *= 2
    with pytest.raises(flexible.FlexibleError, match="resisted with"):
        flexible.reduce(m, held, nodes, {"left": 0})
    with pytest.raises(flexible.FlexibleError, match="numbered from 0 to 6"):
        flexible.reduce(m, k, nodes, {"left": 7})
    with pytest.raises(flexible.FlexibleError, match="the mass along x, y and z"):
        flexible.reduce(m * 0, k, nodes, {"left": 0})


def test_a_model_takes_it():
    lw = pytest.importorskip("linkwork")
    nodes, m, k = beam(8)
    body = flexible.reduce(m, k, nodes, {"left": 0, "right": 8}, modes=6, damping_ratio=0.01)
    model = lw.Model("arm", planar=False, gravity=[0, 0, -9.81])
    model.add_body("rod", "modal", **body.keys())
    model.add_joint("clamp", "fixed", body_b="rod.left")
    lowest = min(f for f in lw.modes(model).frequencies if f > 1e-3)
    unit = np.sqrt(YOUNG * SIDE**2 / 12 / DENSITY) / LENGTH**2 / (2 * np.pi)
    assert abs(lowest / (1.875104**2 * unit) - 1) < 0.03
