"""Finite-element results as flexible bodies: frequencies of a beam, the neutral file, and what is refused."""

import itertools

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


def consistent(elements):
    """The same with the mass of shape functions: cubic across, linear along and about the axis."""
    nodes, _, k = beam(elements)
    h = LENGTH / elements
    line, turn = DENSITY * SIDE**2 * h, DENSITY * SIDE**4 / 6 * h
    bend = line / 420 * np.array(
        [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h], [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]
    )
    two, flip = np.array([[2, 1], [1, 2]]) / 6, np.array([1, -1, 1, -1])
    m = sp.lil_matrix(k.shape)
    for e in range(elements):
        a, b = 6 * e, 6 * e + 6
        for at, block in (
            ([a + 1, a + 5, b + 1, b + 5], bend),
            ([a + 2, a + 4, b + 2, b + 4], bend * np.outer(flip, flip)),
            ([a, b], line * two),
            ([a + 3, b + 3], turn * two),
        ):
            m[np.ix_(at, at)] = m[np.ix_(at, at)].toarray() + block
    return nodes, m.tocsr(), k


def test_a_consistent_mass_keeps_its_frequencies(tmp_path):
    """Lumping would make them 5 to 12 % lower: those of the matrices are what the file and the model have."""
    import linkwork as lw
    import scipy.linalg

    elements = 8
    nodes, m, k = consistent(elements)
    body = flexible.reduce(m, k, nodes, {"left": 0, "right": elements}, modes=12)
    squares = scipy.linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True)
    known = np.sqrt(squares[6:12]) / (2 * np.pi)
    assert np.allclose(body.frequencies[:6], known, rtol=2e-3)
    unit = np.sqrt(YOUNG * SIDE**2 / 12 / DENSITY) / LENGTH**2 / (2 * np.pi)
    for i, root in enumerate((4.730041, 7.853205)):
        assert abs(body.frequencies[2 * i] / (root**2 * unit) - 1) < 1e-3
    body.save(tmp_path / "rod.toml")
    model = lw.Model("free", planar=False)
    model.add_body("rod", "modal", **flexible.load(tmp_path / "rod.toml").keys())
    found = sorted(f for f in lw.modes(model).frequencies if f > 1e-3)
    assert np.allclose(found[:6], body.frequencies[:6], rtol=1e-6)
    model.add_joint("clamp", "fixed", body_b="rod.left")
    lowest = min(f for f in lw.modes(model).frequencies if f > 1e-3)
    # the moment of inertia is that of lumped masses, 3 % more
    assert abs(lowest / (1.875104**2 * unit) - 1) < 0.01
    # shapes in other units than the masses
    body.modes, body.mode_rotations = body.modes * 1e3, body.mode_rotations * 1e3
    body.save(tmp_path / "rod.toml")
    with pytest.raises(flexible.FlexibleError, match="mode .* has 9.*e-7 times the inertia that the masses give it"):
        flexible.load(tmp_path / "rod.toml")


def block(cells):
    """Nodes, mass and stiffness of a free steel block of quadratic tetrahedra, six in each cell; rows of its mass have
    negative sums at corners."""
    size = np.array([1.0, 0.2, 0.1])
    corners = np.array([[i, j, k] for i in range(cells + 1) for j in range(2) for k in range(2)])
    number = {tuple(c): n for n, c in enumerate(corners)}
    places, middles, elements = list(corners * size / [cells, 1, 1]), {}, []
    for cell in range(cells):
        for order in itertools.permutations(range(3)):
            corner, path = np.array([cell, 0, 0]), []
            for axis in (None, *order):
                if axis is not None:
                    corner = corner + np.eye(3, dtype=int)[axis]
                path.append(number[tuple(corner)])
            edges = []
            for a, b in itertools.combinations(range(4), 2):
                edge = tuple(sorted((path[a], path[b])))
                if edge not in middles:
                    middles[edge] = len(places)
                    places.append((places[edge[0]] + places[edge[1]]) / 2)
                edges.append(middles[edge])
            elements.append(path + edges)
    places = np.array(places)
    # Gauss points of a cube, folded into the tetrahedron
    x, w = np.polynomial.legendre.leggauss(4)
    x, w = (x + 1) / 2, w / 2
    points = [
        ((1 - a) * (1 - b) * (1 - c), a, (1 - a) * b, (1 - a) * (1 - b) * c, u * v * t * (1 - a) ** 2 * (1 - b))
        for (a, u), (b, v), (c, t) in itertools.product(zip(x, w), repeat=3)
    ]
    poisson = 0.3
    lame, shear = YOUNG * poisson / (1 + poisson) / (1 - 2 * poisson), YOUNG / 2 / (1 + poisson)
    elastic = np.diag([2 * shear] * 3 + [shear] * 3)
    elastic[:3, :3] += lame
    m, k = np.zeros((2, 3 * len(places), 3 * len(places)))
    pairs = list(itertools.combinations(range(4), 2))
    for element in elements:
        jacobian = np.c_[np.ones(4), places[element[:4]]]
        slopes, volume = np.linalg.inv(jacobian)[1:].T, abs(np.linalg.det(jacobian))
        at = np.ravel([[3 * n, 3 * n + 1, 3 * n + 2] for n in element])
        for *l, weight in points:
            shape = np.array([v * (2 * v - 1) for v in l] + [4 * l[a] * l[b] for a, b in pairs])
            grads = np.array([(4 * v - 1) * s for v, s in zip(l, slopes)] + [4 * (l[a] * slopes[b] + l[b] * slopes[a]) for a, b in pairs])
            strain = np.zeros((6, 30))
            for n, (gx, gy, gz) in enumerate(grads):
                strain[:, 3 * n : 3 * n + 3] = [[gx, 0, 0], [0, gy, 0], [0, 0, gz], [gy, gx, 0], [0, gz, gy], [gz, 0, gx]]
            k[np.ix_(at, at)] += weight * volume * strain.T @ elastic @ strain
            m[np.ix_(at, at)] += weight * volume * DENSITY * np.kron(np.outer(shape, shape), np.eye(3))
    return places, m, k


def test_solids_of_higher_order_keep_their_frequencies(tmp_path):
    import linkwork as lw
    import scipy.linalg

    nodes, m, k = block(3)
    assert m[0::3, 0::3].sum(axis=1).min() < 0
    ends = {name: np.flatnonzero(nodes[:, 0] == x).tolist() for name, x in (("left", 0.0), ("right", 1.0))}
    body = flexible.reduce(m, k, nodes, {"left": ends["left"]}, modes=20, expected_mass=0.02 * DENSITY)
    known = np.sqrt(scipy.linalg.eigh(k, m, eigvals_only=True)[6:9]) / (2 * np.pi)
    # an end that moves as one is stiffer
    assert (body.frequencies[:3] > 0.999 * known).all() and np.allclose(body.frequencies[:3], known, rtol=0.03)
    assert np.allclose(body.centre_of_mass, [0.5, 0.1, 0.05], atol=1e-9)
    assert np.allclose(body.inertia, 0.02 * DENSITY / 12 * np.array([0.05, 1.01, 1.04]), rtol=1e-9)
    # masses and modes belong together: no momentum, unit inertia
    assert abs(np.einsum("p,kpi->ki", body.masses, body.modes)).max() < 1e-8
    assert np.allclose(np.einsum("p,kpi,lpi->kl", body.masses, body.modes, body.modes), np.eye(len(body.modes)), atol=1e-9)
    model = lw.Model("block", planar=False)
    model.add_body("block", "modal", **body.keys())
    found = sorted(f for f in lw.modes(model).frequencies if f > 1)
    assert np.allclose(found[:3], body.frequencies[:3], rtol=1e-6)
    body.save(tmp_path / "block.toml")
    flexible.load(tmp_path / "block.toml")
    both = flexible.reduce(m, k, nodes, ends, modes=20)
    both.save(tmp_path / "block.toml")
    assert flexible.load(tmp_path / "block.toml").frames == both.frames


def test_shapes_of_the_program_may_be_given(tmp_path):
    """Shapes as the program found them, in its units and with motions of the whole among them: the same body."""
    nodes, m, k = beam(8)
    own = flexible.reduce(m, k, nodes, {"left": 0, "right": 8}, modes=6)
    kind = np.tile([1e3, 1e3, 1e3, 1, 1, 1], 9)
    shapes = np.zeros((54, len(own.modes) + 1))
    shapes[:, 1:] = np.concatenate([own.modes, own.mode_rotations], axis=2)[:, :9].reshape(len(own.modes), -1).T
    shapes[0::6, 0] = 1.0
    shapes *= kind[:, None]
    np.save(tmp_path / "shapes.npy", shapes)
    units = sp.diags(np.tile([1.0, 1, 1, 1e3, 1e3, 1e3], 9))
    given = flexible.reduce(
        units @ m @ units * 1e-3,
        units @ k @ units * 1e-3,
        nodes * 1e3,
        {"left": 0, "right": 8},
        shapes=tmp_path / "shapes.npy",
        length=1e-3,
    )
    assert np.allclose(given.frequencies, own.frequencies, rtol=1e-6)
    assert given.frames == own.frames and np.allclose(given.points, own.points)
    with pytest.raises(flexible.FlexibleError, match="shapes have 53 rows, and the matrices 54"):
        flexible.reduce(m, k, nodes, {"left": 0}, shapes=shapes[1:])


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


@pytest.mark.parametrize(
    "key, factor, told",
    [
        ("points", 1e3, "the centre of mass is .* by the arrays"),
        ("points", 1e-3, "the centre of mass is .* by the arrays"),
        ("masses", 1e3, "the mass is .* times as much"),
        ("modes", 1e-3, "times what its rotations make"),
        ("stiffness", 1e6, "frequency 1 is .* times as much"),
        ("mode_rotations", 1e3, "times what its rotations make"),
        ("mode_rotations", 1e-3, "times what its rotations make"),
        ("stiffness", -1.0, "the stiffness of mode 1 is negative: -"),
        ("inertias", 1e6, "moment of inertia"),
    ],
)
def test_units_of_files_that_do_not_belong_together_are_refused(tmp_path, key, factor, told):
    nodes, m, k = beam(8)
    body = flexible.reduce(m, k, nodes, {"left": 0}, modes=6)
    path = tmp_path / "rod.toml"
    body.save(path)
    with np.load(tmp_path / "rod.npz") as found:
        arrays = dict(found)
    arrays[key] = arrays[key] * factor
    if key == "inertias":
        # so heavy that frequencies would tell, too
        arrays["mode_rotations"] = arrays["mode_rotations"] * 0
    np.savez(tmp_path / "rod.npz", **arrays)
    with pytest.raises(flexible.FlexibleError, match=told):
        flexible.load(path)


def test_headers_are_held_against_the_arrays(tmp_path):
    nodes, m, k = beam(8)
    path = tmp_path / "rod.toml"
    flexible.reduce(m, k, nodes, {"left": 0}, modes=6).save(path)
    sound = path.read_text()
    for key in ("mass", "centre_of_mass", "inertia", "frequencies_hz", "units"):
        lines = [line for line in sound.splitlines() if not line.startswith(f"{key} =")]
        path.write_text("\n".join(lines))
        with pytest.raises(flexible.FlexibleError, match=f"the key `{key}` is missing"):
            flexible.load(path)
    path.write_text(sound.replace("mass = ", "mass = 1000", 1))
    with pytest.raises(flexible.FlexibleError, match="the mass is .* times as much"):
        flexible.load(path)
    path.write_text(sound.replace('"left" = 9', '"left" = 90'))
    with pytest.raises(flexible.FlexibleError, match="frame `left` is at the last of 91 points, and there are 10"):
        flexible.load(path)


def test_what_the_source_tells_is_expected():
    nodes, m, k = beam(8)
    mass = DENSITY * SIDE**2 * LENGTH
    across = mass * LENGTH**2 / 12
    inertia = [mass * SIDE**2 / 6, across, across]
    flexible.reduce(m, k, nodes, {"left": 0}, expected_mass=mass, expected_inertia=inertia)
    with pytest.raises(flexible.FlexibleError, match="the mass is .* 1000 times as much"):
        flexible.reduce(m, k, nodes, {"left": 0}, expected_mass=1e3 * mass)
    with pytest.raises(flexible.FlexibleError, match="moment of inertia about [xyz] is .* times as much"):
        flexible.reduce(m, k, nodes, {"left": 0}, expected_inertia=[1e6 * x for x in inertia])
    # places in mm are resisted where nodes turn
    with pytest.raises(flexible.FlexibleError, match="resisted with"):
        flexible.reduce(m, k, nodes * 1e3, {"left": 0})



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
    run = lw.simulate(model, t_end=0.01, rtol=1e-5)
    assert run.energy["strain_start"] == 0
    assert np.isclose(run.energy["strain_end"], run.final["rod.strain_energy"])
    assert run.energy["strain_most"] >= run.energy["strain_end"] > 0
