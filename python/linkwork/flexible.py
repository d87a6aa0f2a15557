"""Flexible bodies from finite-element results: mass and stiffness matrices become a body of kind ``modal``.

Craig and Bampton's reduction: deflections by loads at interfaces and vibrations between held interfaces, combined to
modes of the free body, of which the six motions of the whole are dropped. Needs SciPy.

>>> from linkwork import flexible
>>> rod = flexible.reduce("rod_M.mtx", "rod_K.mtx", nodes, {"pin": [0], "eye": [20]}, modes=12)  # doctest: +SKIP
>>> rod.save("rod.toml")                                                                        # doctest: +SKIP
>>> model.add_body("rod", "modal", **flexible.load("rod.toml").keys())                          # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

#: Version of the neutral file.
FORMAT = "linkwork flexible body 1"


class FlexibleError(ValueError):
    """A finite-element result that cannot be a flexible body; the message tells the number that shows it."""


@dataclass
class FlexibleBody:
    """A reduced body in SI units: what the kind ``modal`` of model text is made of."""

    #: Places of its points in the body frame, m.
    points: np.ndarray
    #: Lumped masses of the points, kg.
    masses: np.ndarray
    #: Lumped moments of inertia of the points, kg m^2.
    inertias: np.ndarray
    #: Displacements of the points by the modes, (modes, points, 3).
    modes: np.ndarray
    #: Rotations of the points by the modes, rad, (modes, points, 3).
    mode_rotations: np.ndarray
    #: Stiffness of the modes, (modes, modes).
    stiffness: np.ndarray
    #: Names of interfaces with the numbers of their points, from 0.
    frames: dict[str, int] = field(default_factory=dict)
    #: Damping ratio of each mode.
    damping_ratio: np.ndarray | None = None
    #: Inertia of the modes in place of that of the lumped masses, (modes, modes).
    modal_mass: np.ndarray | None = None

    @property
    def frequencies(self) -> np.ndarray:
        """Frequencies of the modes, Hz."""
        return np.sqrt(np.diag(self.stiffness)) / (2 * np.pi)

    @property
    def centre_of_mass(self) -> np.ndarray:
        """Centre of mass in the body frame, m."""
        return self.masses @ self.points / self.masses.sum()

    @property
    def inertia(self) -> np.ndarray:
        """Moments of inertia about axes through the centre of mass along those of the body, kg m^2."""
        squares = (self.points - self.centre_of_mass) ** 2
        return self.masses @ (squares.sum(axis=1, keepdims=True) - squares) + self.inertias.sum(axis=0)

    def keys(self, told: bool = True) -> dict[str, Any]:
        """The body as keywords of ``model.add_body(name, "modal", ...)``; with what readers check, if ``told``."""
        count = len(self.modes)
        keys: dict[str, Any] = {
            "points": self.points.tolist(),
            "masses": self.masses.tolist(),
            "inertias": self.inertias.tolist(),
            "modes": self.modes.reshape(count, -1).tolist(),
            "mode_rotations": self.mode_rotations.reshape(count, -1).tolist(),
            "stiffness": self.stiffness.tolist(),
            "frames": list(self.frames),
            "frame_points": [1 + point for point in self.frames.values()],
        }
        if self.damping_ratio is not None:
            keys["damping_ratio"] = np.broadcast_to(self.damping_ratio, count).tolist()
        if self.modal_mass is not None:
            keys["modal_mass"] = self.modal_mass.tolist()
        if told:
            keys["expected_mass"] = float(self.masses.sum())
            keys["expected_frequencies"] = self.frequencies[:3].tolist()
        return keys

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the neutral file: a header in TOML, and its numbers beside it as ``.npz``."""
        path = Path(path)
        arrays = path.with_suffix(".npz")
        ratio = np.zeros(len(self.modes)) if self.damping_ratio is None else self.damping_ratio
        numbers = {
            "points": self.points,
            "masses": self.masses,
            "inertias": self.inertias,
            "modes": self.modes,
            "mode_rotations": self.mode_rotations,
            "stiffness": self.stiffness,
            "damping_ratio": np.broadcast_to(ratio, len(self.modes)),
        }
        if self.modal_mass is not None:
            numbers["modal_mass"] = self.modal_mass
        np.savez(arrays, **{name: np.ascontiguousarray(x, dtype="<f8") for name, x in numbers.items()})
        header: dict[str, Any] = {
            "format": FORMAT,
            "arrays": arrays.name,
            "units": "SI",
            "points": len(self.points),
            "modes": len(self.modes),
            "mass": float(self.masses.sum()),
            "centre_of_mass": self.centre_of_mass.tolist(),
            "inertia": self.inertia.tolist(),
            "frequencies_hz": self.frequencies.tolist(),
        }
        lines = [f"{key} = {json.dumps(value)}" for key, value in header.items()]
        lines += ["", "[frames]"] + [f"{json.dumps(name)} = {point}" for name, point in self.frames.items()]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def load(path: str | os.PathLike[str]) -> FlexibleBody:
    """Reads a neutral file; what does not fit its header is refused with both numbers.

    The reader of the program checks it: sizes, symmetric and positive stiffness, orthogonal modes, mass, centre of mass,
    moments of inertia and frequencies against the header, and whether rotations and distances are in the same units.
    """
    from . import _linkwork

    path = Path(path)
    header = _header(path)
    if header.get("format") != FORMAT:
        raise FlexibleError(f"{path}: the format is {header.get('format')!r}, not {FORMAT!r}")
    try:
        _linkwork.Model._load(os.fspath(path), "floating", None, [])
    except (ValueError, OSError) as error:
        raise FlexibleError(f"{path}: {getattr(error, 'reason', error)}") from None
    with np.load(path.parent / header["arrays"]) as found:
        names = ("points", "masses", "inertias", "modes", "mode_rotations", "stiffness", "damping_ratio")
        arrays = {name: np.asarray(found[name], dtype=float) for name in (*names, "modal_mass") if name in found}
    return FlexibleBody(frames={name: int(point) for name, point in header.get("frames", {}).items()}, **arrays)


def _header(path: Path) -> dict[str, Any]:
    """The header, which is simple enough to be read without a library."""
    header: dict[str, Any] = {}
    table = header
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            table = header.setdefault(line.strip("[]"), {})
            continue
        key, found, value = line.partition("=")
        try:
            if not found:
                raise ValueError
            table[key.strip().strip('"')] = json.loads(value)
        except ValueError:
            raise FlexibleError(f"{path}:{number}: expected `key = value`, not {line!r}") from None
    return header


def read_matrix(source: Any) -> Any:
    """A sparse matrix from a Matrix Market file (``.mtx``), SciPy's ``.npz``, NumPy's ``.npy``, an array or a sparse matrix."""
    import scipy.io
    import scipy.sparse

    if isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        readers = {".npz": scipy.sparse.load_npz, ".npy": np.load}
        source = readers.get(Path(name).suffix, scipy.io.mmread)(name)
    return scipy.sparse.csr_matrix(source, dtype=float)


def reduce(
    mass: Any,
    stiffness: Any,
    nodes: Any,
    interfaces: Mapping[str, int | Sequence[int]],
    *,
    modes: int = 10,
    shapes: Any = None,
    damping_ratio: float | Sequence[float] | None = None,
    length: float = 1.0,
    force: float = 1.0,
    time: float = 1.0,
    expected_mass: float | None = None,
    expected_inertia: Sequence[float] | None = None,
) -> FlexibleBody:
    """Reduces finite-element matrices to a flexible body.

    ``mass`` and ``stiffness`` are what :func:`read_matrix` takes, of the free body without any support, with three
    (solids) or six (beams, shells) freedoms for each of the ``nodes``, whose places are (n, 3). An interface is a node or
    a list of nodes that move as one rigid patch; it becomes a frame. ``modes`` vibrations between held interfaces are
    kept beside six deflections by interface; with ``shapes``, what :func:`read_matrix` takes with a column for each shape
    that the finite-element program found, those are taken in their place. ``length``, ``force`` and ``time`` are the units of the matrices in SI
    units: 1e-3, 1 and 1 for mm, N and s with tonnes.

    ``expected_mass`` (kg) and ``expected_inertia`` (three moments about the centre of mass, kg m^2) are what the
    finite-element program tells of the whole: units that do not belong together show there, and in solids nowhere else.

    Modes and frequencies are those of the matrices. Solids with a consistent mass get a few mass points that have all of
    its integrals exactly. Else masses are lumped on the nodes and seen from a frame in which they have no momentum; the
    inertia of the modes themselves is that of the matrices.
    """
    import scipy.linalg
    import scipy.sparse as sp

    places = np.asarray(nodes, dtype=float) * length
    m, k = read_matrix(mass), read_matrix(stiffness)
    count = len(places)
    if places.ndim != 2 or places.shape[1] != 3:
        raise FlexibleError(f"nodes have the shape {places.shape}, not (n, 3)")
    if m.shape != k.shape or m.shape[0] != m.shape[1]:
        raise FlexibleError(f"the mass has the shape {m.shape} and the stiffness {k.shape}")
    each, left = divmod(k.shape[0], count)
    if left or each not in (3, 6):
        raise FlexibleError(f"{k.shape[0]} freedoms of {count} nodes: there must be 3 or 6 for each")
    for name, matrix in (("mass", m), ("stiffness", k)):
        off = abs(matrix - matrix.T).max() / max(abs(matrix).max(), 1e-300)
        if off > 1e-8:
            raise FlexibleError(f"the {name} is not symmetric: entries differ by {off:.2g} of the largest")
    # generalised forces of rotations are moments: units go with the kind of the freedom
    kind = np.tile(np.r_[np.ones(3), np.full(each - 3, length)], count)
    units = sp.diags(kind)
    k = units @ k @ units * (force / length)
    m = units @ m @ units * (force / length * time**2)

    rigid = _rigid(places, each)
    strained = abs(k @ rigid).max() / (abs(k).max() * abs(rigid).max())
    if strained > 1e-6:
        raise FlexibleError(
            f"motions of the whole are resisted with {strained:.2g} of the largest stiffness: the body is held, or nodes and "
            "matrices do not belong together"
        )
    totals = [rigid[:, i] @ (m @ rigid[:, i]) for i in range(3)]
    if not (min(totals) > 0 and max(totals) - min(totals) <= 1e-3 * max(totals)):
        raise FlexibleError("the mass along x, y and z is " + ", ".join(f"{t:g}" for t in totals) + " kg")
    exact = each == 3 and not _is_diagonal(m) and _is_alike(m)
    diagonal = m.diagonal() if exact else _lumped(m, each, places)

    reduction, ends = _patches(places, each, interfaces)
    kr = (reduction.T @ k @ reduction).tocsc()
    mr = (reduction.T @ m @ reduction).tocsc()
    free = kr.shape[0] - 6 * len(ends)
    if shapes is None:
        basis = _craig_bampton(kr, mr, free, modes)
    else:
        basis = _given(shapes, reduction, rigid, kind / length, mr)
    small_k = basis.T @ (kr @ basis)
    small_m = basis.T @ (mr @ basis)
    squares, vectors = scipy.linalg.eigh(0.5 * (small_k + small_k.T), 0.5 * (small_m + small_m.T))
    if len(squares) <= 6:
        raise FlexibleError(f"{len(squares)} shapes, of which six are motions of the whole: ask for more modes")
    if abs(squares[5]) > 1e-4 * squares[6]:
        low, high = np.sqrt(abs(squares[[5, 6]])) / (2 * np.pi)
        raise FlexibleError(f"there are no six motions of the whole: frequencies 6 and 7 are {low:g} and {high:g} Hz")
    if abs(squares[6]) < 1e-10 * squares[-1]:
        raise FlexibleError(f"there are more than six motions without stiffness: the seventh has {squares[6]:g} 1/s^2")
    inner = basis @ vectors[:, 6:]
    found = reduction @ inner
    shapes_of = found.T.reshape(-1, count, each)
    drift = np.zeros((6, found.shape[1]))
    inertia = None
    if exact:
        # nodes are for the eye, points beside them have the mass
        masses, spots, moved = _points_of(m[0::3, 0::3], places, found.reshape(count, -1))
        moved = np.moveaxis(moved, 2, 0)
        points = np.vstack([places, spots])
        masses = np.r_[np.zeros(count), masses]
        inertias, turns = np.zeros((len(points), 3)), np.zeros((len(shapes_of), len(points), 3))
        displaced = np.concatenate([shapes_of, moved], axis=1)
    else:
        # a frame in which the lumped masses have no momentum
        momentum = rigid.T @ (diagonal[:, None] * np.c_[rigid, found])
        drift = np.linalg.solve(momentum[:, :6], momentum[:, 6:])
        found = found - rigid @ drift
        lumped = found.T @ (diagonal[:, None] * found)
        if not np.allclose(lumped, np.eye(len(lumped)), atol=1e-9):
            inertia = np.eye(len(lumped))
        shapes_of = found.T.reshape(-1, count, each)
        displaced = shapes_of[:, :, :3]
        turns = shapes_of[:, :, 3:] if each == 6 else np.zeros_like(displaced)
        points, masses = places, diagonal.reshape(count, each)[:, 0]
        inertias = diagonal.reshape(count, each)[:, 3:] if each == 6 else np.zeros((count, 3))
    # an interface is a point of its own, without mass
    moved = inner[free:]
    if ends:
        moved = moved - _rigid(np.array([place for _, place in ends]), 6) @ drift
    moved = moved.T.reshape(-1, len(ends), 6)
    body = FlexibleBody(
        points=np.vstack([points, [place for _, place in ends]]) if ends else points,
        masses=np.r_[masses, np.zeros(len(ends))],
        inertias=np.vstack([inertias, np.zeros((len(ends), 3))]),
        modes=np.concatenate([displaced, moved[:, :, :3]], axis=1),
        mode_rotations=np.concatenate([turns, moved[:, :, 3:]], axis=1),
        stiffness=np.diag(squares[6:]),
        frames={name: len(points) + i for i, (name, _) in enumerate(ends)},
        damping_ratio=None if damping_ratio is None else np.broadcast_to(damping_ratio, len(squares) - 6).copy(),
        modal_mass=inertia,
    )
    _expect(body, expected_mass, expected_inertia)
    return body


def _expect(body: FlexibleBody, mass: float | None, inertia: Sequence[float] | None) -> None:
    """Refuses a body that is not the one which was told."""
    found = body.masses.sum()
    if mass is not None and not abs(found - mass) <= 1e-3 * abs(mass):
        raise FlexibleError(f"the mass is {found:g} kg, {mass:g} kg were expected, {mass / found:g} times as much")
    if inertia is None:
        return
    whole = sum(inertia)
    for axis, found, told in zip("xyz", body.inertia, inertia):
        # masses at the two ends of a rod have three times its inertia: lumping does no more
        if not (told - 1e-3 * whole <= 3 * found and found <= 3 * told + 1e-3 * whole):
            raise FlexibleError(
                f"the moment of inertia about {axis} is {found:g} kg m^2, {told:g} kg m^2 were expected, "
                f"{told / found if found else np.inf:g} times as much"
            )


def _hat(x: np.ndarray) -> np.ndarray:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def _rigid(places: np.ndarray, each: int) -> np.ndarray:
    """Six motions of the whole."""
    rows = []
    for place in places:
        rows.append(np.hstack([np.eye(3), -_hat(place)]))
        if each == 6:
            rows.append(np.hstack([np.zeros((3, 3)), np.eye(3)]))
    return np.vstack(rows)


def _craig_bampton(k: Any, m: Any, free: int, modes: int) -> np.ndarray:
    """Deflections by loads at interfaces, whose freedoms are the last, and vibrations between held ones."""
    import scipy.sparse.linalg as spl

    held = k.shape[0] - free
    basis = np.zeros((k.shape[0], held + min(modes, free)))
    basis[free:, :held] = np.eye(held)
    if free:
        kii = k[:free, :free].tocsc()
        basis[:free, :held] = -spl.splu(kii).solve(k[:free, free:].toarray())
        vibrations = _vibrations(kii, m[:free, :free].tocsc(), min(modes, free))
        basis = basis[:, : held + vibrations.shape[1]]
        basis[:free, held:] = vibrations
    return basis


def _given(shapes: Any, reduction: Any, rigid: np.ndarray, kind: np.ndarray, m: Any) -> np.ndarray:
    """Given shapes and the motions of the whole, in the freedoms of inner nodes and interfaces; none twice."""
    import scipy.linalg
    import scipy.sparse.linalg as spl

    given = read_matrix(shapes).toarray()
    if given.shape[0] != len(kind):
        raise FlexibleError(f"shapes have {given.shape[0]} rows, and the matrices {len(kind)}")
    # lengths and angles by their units; an interface moves as its patch does in the mean
    both = np.c_[rigid, given / kind[:, None]]
    basis = spl.splu((reduction.T @ reduction).tocsc()).solve(reduction.T @ both)
    basis = basis / np.sqrt(np.einsum("ij,ij->j", basis, m @ basis))
    values, vectors = scipy.linalg.eigh(basis.T @ (m @ basis))
    return basis @ vectors[:, values > 1e-10 * values[-1]]


def _points_of(masses: Any, places: np.ndarray, found: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass points that have all integrals of a consistent mass, exactly: their masses, places and displacements.

    Integrals are products of few fields, one, the places and the displacements of the modes: ``G = F' M F``. With any
    ``Y' Y = G`` the rows of ``Y`` are as good as the nodes. Those of ``Y`` are turned until each has the same mass: by
    cosines, which also spread places and displacements evenly.
    """
    fields = np.c_[np.ones(len(places)), places, found.reshape(len(places), -1)]
    products = fields.T @ (masses @ fields)
    whole, means = products[0, 0], products[0] / products[0, 0]
    values, vectors = np.linalg.eigh(products - whole * np.outer(means, means))
    kept = values > 1e-14 * values[-1]
    rows = np.vstack([np.sqrt(whole) * means, np.sqrt(values[kept])[:, None] * vectors[:, kept].T])
    count = len(rows)
    order = np.arange(count)
    turn = np.sqrt(2 / count) * np.cos(np.pi * np.outer(order + 0.5, order) / count)
    turn[:, 0] = np.sqrt(1 / count)
    points = turn @ rows / np.sqrt(whole / count)
    return np.full(count, whole / count), points[:, 1:4], points[:, 4:].reshape(count, 3, -1)


def _lumped(m: Any, each: int, places: np.ndarray) -> np.ndarray:
    """A diagonal mass: sums of rows for displacements; for rotations the diagonal of a mass that is one, else what the
    points lack of the moments of inertia of the whole."""
    total = np.zeros(m.shape[0])
    for i in range(3):
        total[i::each] = np.asarray(m[i::each, i::each].sum(axis=1)).ravel()
    if each == 6 and not _is_diagonal(m):
        masses = total[0::6]
        turning = _rigid(places - masses @ places / masses.sum(), each)[:, 3:]
        for i in range(3):
            lacks = turning[:, i] @ (m @ turning[:, i]) - turning[:, i] @ (total * turning[:, i])
            total[3 + i :: 6] = max(lacks, 0.0) * masses / masses.sum()
    else:
        for i in range(3, each):
            total[i::each] = m.diagonal()[i::each]
    least = int(np.argmin(total))
    if not total[least] >= 0:
        raise FlexibleError(
            f"the lumped mass of node {least // each} is {total[least]:g}: elements of higher order need a diagonal mass"
        )
    return total


def _is_diagonal(m: Any) -> bool:
    off = m.copy()
    off.setdiag(0)
    return abs(off).max() <= 1e-12 * abs(m).max()


def _is_alike(m: Any) -> bool:
    """Whether a mass of three freedoms by node is the same along x, y and z, and couples none of them."""
    largest = abs(m).max()
    pairs = [(i, j) for i in range(3) for j in range(3)]
    return all(abs(m[i::3, j::3] - (i == j) * m[0::3, 0::3]).max() <= 1e-9 * largest for i, j in pairs)


def _patches(
    places: np.ndarray, each: int, interfaces: Mapping[str, int | Sequence[int]]
) -> tuple[Any, list[tuple[str, np.ndarray]]]:
    """All freedoms by those of inner nodes and six for each interface."""
    import scipy.sparse as sp

    count = len(places)
    owner = np.full(count, -1)
    ends: list[tuple[str, np.ndarray]] = []
    for i, (name, given) in enumerate(interfaces.items()):
        patch = np.atleast_1d(np.asarray(given, dtype=int))
        if patch.size == 0 or patch.min() < 0 or patch.max() >= count:
            raise FlexibleError(f"interface {name!r}: nodes are numbered from 0 to {count - 1}, not {patch.tolist()}")
        if each == 3 and np.linalg.matrix_rank(places[patch] - places[patch].mean(axis=0), tol=1e-9) < 2:
            raise FlexibleError(f"interface {name!r}: nodes without rotations need three that are not on a line")
        if (owner[patch] >= 0).any():
            raise FlexibleError(f"interface {name!r} shares a node with another")
        owner[patch] = i
        ends.append((name, places[patch].mean(axis=0)))
    inner = np.flatnonzero(owner < 0)
    free = each * len(inner)
    rows, columns, values = [], [], []
    for position, node in enumerate(inner):
        for i in range(each):
            rows.append(each * node + i)
            columns.append(each * position + i)
            values.append(1.0)
    for node in np.flatnonzero(owner >= 0):
        first = free + 6 * owner[node]
        block = np.hstack([np.eye(3), -_hat(places[node] - ends[owner[node]][1])])
        if each == 6:
            block = np.vstack([block, np.hstack([np.zeros((3, 3)), np.eye(3)])])
        for i, j in zip(*np.nonzero(block)):
            rows.append(each * node + i)
            columns.append(first + j)
            values.append(block[i, j])
    shape = (each * count, free + 6 * len(ends))
    return sp.csr_matrix((values, (rows, columns)), shape=shape), ends


def _vibrations(k: Any, m: Any, count: int) -> np.ndarray:
    """The lowest vibrations; by full matrices where these are small or most are wanted."""
    import scipy.linalg
    import scipy.sparse.linalg as spl

    size = k.shape[0]
    if count == 0:
        return np.zeros((size, 0))
    massless = m.diagonal() <= 0
    if size <= 600 or count > size // 3 or massless.any():
        if massless.any():
            # freedoms without mass follow the others
            heavy, light = np.flatnonzero(~massless), np.flatnonzero(massless)
            full = k.toarray()
            follow = -np.linalg.solve(full[np.ix_(light, light)], full[np.ix_(light, heavy)])
            small = full[np.ix_(heavy, heavy)] + full[np.ix_(heavy, light)] @ follow
            count = min(count, len(heavy))
            mass = m.toarray()[np.ix_(heavy, heavy)]
            _, vectors = scipy.linalg.eigh(small, mass, subset_by_index=(0, count - 1))
            shapes = np.zeros((size, count))
            shapes[heavy], shapes[light] = vectors, follow @ vectors
            return shapes
        return scipy.linalg.eigh(k.toarray(), m.toarray(), subset_by_index=(0, count - 1))[1]
    return spl.eigsh(k, k=count, M=m, sigma=0, which="LM")[1]
