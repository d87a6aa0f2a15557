"""Models: from text, from files, or made in code with the words of model text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import _linkwork
from .elements import BodyKinds, ControlKinds, EventKinds, ForceKinds, JointKinds, SensorKinds, ShapeKinds, word


class Law:
    """A function of signals that stands where a formula could: ``x=lw.Law(push, "t", "rod.angle")``.

    function: Called with the values of the inputs, gives a number, or several.
    inputs: Formulas of ``t``, parameters and signals: coordinates of bodies, sensors, controls.
    outputs: How many numbers it gives. Those of a law ``drag`` that gives several are ``drag.1``, ``drag.2``, ...
    jacobian: Gives the derivatives by the inputs, a row for each output; they are differenced unless it is there.
    period: With a period (s) the function is called at that clock and its value held between. It then may have a
        ``memory``, numbers that it gets as an array behind its inputs and gives back beside its value.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *inputs: str,
        outputs: int = 1,
        jacobian: Callable[..., Any] | None = None,
        period: float | None = None,
        memory: Any = (),
    ) -> None:
        self.function = function
        self.inputs = list(inputs)
        self.outputs = outputs
        self.jacobian = jacobian
        self.period = period
        self.memory = [float(x) for x in memory]


class Part(Mapping[str, Any]):
    """A part of a model: its keys with their values as they were given."""

    def __init__(self, section: str, name: str, keys: dict[str, Any]) -> None:
        #: ``"body"``, ``"joint"``, ...
        self.section = section
        self.name = name
        self._keys = {k: v for k, v in keys.items() if k != "name"}

    @property
    def kind(self) -> str | None:
        """Its kind; ``None`` where it was left to the default."""
        return self._keys.get("kind")

    def __getitem__(self, key: str) -> Any:
        return self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        keys = ", ".join(f"{k}={v!r}" for k, v in self._keys.items())
        return f"<{self.section} {self.name!r}: {keys}>"


class Model(_linkwork.Model):
    """A mechanism.

    Keywords are the keys of ``[model]``: ``gravity``, ``planar``, ``rotation``, ``start_time``,
    ``length``. A model is planar unless ``planar=False``.

    >>> import linkwork as lw
    >>> model = lw.Model("pendulum", gravity=[0, -9.81])
    >>> model.add_body("rod", mass=2, inertia="0.17 kg m^2", position=[0.5, 0])
    'rod'
    >>> model.add_joint("hinge", "revolute", body_b="rod", at=[0, 0])
    'hinge'
    >>> lw.simulate(model, t_end=1).verdict
    'converged'
    """

    def __init__(self, name: str | None = None, **keys: Any) -> None:
        if name is not None:
            keys = {"name": name, **keys}
        if keys:
            self._add("model", keys)

    @classmethod
    def _of(cls, core: _linkwork.Model) -> Model:
        model = cls.__new__(cls)
        model._become(core)
        return model

    def _put(self, section: str, name: str, kind: str | None, keys: dict[str, Any]) -> str:
        given: dict[str, Any] = {"name": name}
        if kind is not None:
            given["kind"] = kind
        given.update((word(key), value) for key, value in keys.items())
        laws = {key: value for key, value in given.items() if isinstance(value, Law)}
        if not laws:
            self._add(section, given)
            return name
        # a function is a control of its own, which the part names
        before = self.copy()
        try:
            for key, law in laws.items():
                if law.outputs != 1:
                    raise TypeError(f"{key}: a law of {law.outputs} outputs needs a name of its own: model.add_law")
                given[key] = self.add_law(f"{name}_{key}", law)
                if (section, key) == ("event", "when"):
                    given[key] += " > 0"
            self._add(section, given)
        except BaseException:
            self._become(before)
            raise
        return name

    # -- parts

    @property
    def body(self) -> BodyKinds:
        """Adds bodies, one method for each kind."""
        return BodyKinds(self)

    @property
    def joint(self) -> JointKinds:
        """Adds joints, one method for each kind: ``model.joint.revolute("hinge", body_b="rod")``."""
        return JointKinds(self)

    @property
    def force(self) -> ForceKinds:
        """Adds forces, one method for each kind."""
        return ForceKinds(self)

    @property
    def sensor(self) -> SensorKinds:
        """Adds sensors, one method for each kind."""
        return SensorKinds(self)

    @property
    def control(self) -> ControlKinds:
        """Adds controls, one method for each kind."""
        return ControlKinds(self)

    @property
    def event(self) -> EventKinds:
        """Adds events, one method for each kind: ``model.event.stop("end", when="rod.angle > 1")``. Where ``when``
        is a :class:`Law`, the event is where its value rises through zero."""
        return EventKinds(self)

    @property
    def shape(self) -> ShapeKinds:
        """Adds shapes that bodies are drawn with, one method for each kind."""
        return ShapeKinds(self)

    def add_body(self, name: str, kind: str | None = None, **keys: Any) -> str:
        """Adds a body; returns its name."""
        return self._put("body", name, kind, keys)

    def add_joint(self, name: str, kind: str, **keys: Any) -> str:
        """Adds a joint; returns its name."""
        return self._put("joint", name, kind, keys)

    def add_force(self, name: str, kind: str, **keys: Any) -> str:
        """Adds a force; returns its name."""
        return self._put("force", name, kind, keys)

    def add_sensor(self, name: str, kind: str, **keys: Any) -> str:
        """Adds a sensor, whose value forces and controls may use; returns its name."""
        return self._put("sensor", name, kind, keys)

    def add_control(self, name: str, kind: str, **keys: Any) -> str:
        """Adds a control; returns its name."""
        return self._put("control", name, kind, keys)

    def add_event(self, name: str, kind: str, **keys: Any) -> str:
        """Adds an event: something that is done where a condition becomes true; returns its name."""
        return self._put("event", name, kind, keys)

    def add_law(self, name: str, law: Law | Callable[..., Any], *inputs: str, **options: Any) -> str:
        """Adds a function of signals, whose value formulas of forces and controls use by this name, or its values by
        ``name.1``, ``name.2``; returns the name. The options are those of :class:`linkwork.Law`.

        What the function raises ends a run and is raised by it; the exception has the results so far as ``run``.
        """
        if not isinstance(law, Law):
            law = Law(law, *inputs, **options)
        self._law(
            name,
            law.function,
            law.inputs,
            outputs=law.outputs,
            code=_code(law.function),
            jacobian=law.jacobian,
            period=law.period,
            memory=law.memory,
        )
        return name

    def add_shape(self, name: str, kind: str, **keys: Any) -> str:
        """Adds a shape that its body is drawn with; returns its name."""
        return self._put("shape", name, kind, keys)

    def add_marker(self, name: str, **keys: Any) -> str:
        """Adds a named frame on a body, which joints, forces and sensors may name; returns its name."""
        return self._put("marker", name, None, keys)

    def add_section(self, name: str, kind: str, **keys: Any) -> str:
        """Adds a cross-section that beams may name; returns its name."""
        return self._put("section", name, kind, keys)

    def add_material(self, name: str, **keys: Any) -> str:
        """Adds a material that beams may name; returns its name."""
        return self._put("material", name, None, keys)

    def add_beam(self, name: str, **keys: Any) -> str:
        """Adds a beam that may bend far, whose nodes are bodies ``NAME_start`` to ``NAME_end``; returns its name."""
        return self._put("beam", name, None, keys)

    def add_parameters(self, **values: Any) -> None:
        """Adds named numbers that other numbers may be formulas of: ``length="300 mm"``."""
        self._add("parameters", values)

    def set_simulation(self, **options: Any) -> None:
        """Gives options that hold where a run is not told otherwise: the ``[simulation]`` table."""
        self._add("simulation", options)

    # -- what it says

    def set(self, path: str, value: Any) -> Model:
        """Gives one key another value: ``model.set("spring.stiffness", 2e4)``; a path without a dot is a
        parameter. Raises :class:`linkwork.ModelError` and leaves the model as it was if the value cannot be.
        """
        self._set(path, value)
        return self

    def get(self, path: str) -> Any:
        """The value of a key as it was given; ``None`` where it was not."""
        return self._get(path)

    @property
    def parts(self) -> dict[str, Part]:
        """All parts by name."""
        return {name: Part(section, name, keys) for section, name, keys in self._items()}

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters as they were given."""
        return self._section("parameters")

    @property
    def simulation(self) -> dict[str, Any]:
        """Options of the ``[simulation]`` table."""
        return self._section("simulation")

    @property
    def signals(self) -> list[str]:
        """Names that formulas of forces and controls may use."""
        return self._signals()

    def to_toml(self, path: str | os.PathLike[str] | None = None, *, si: bool = False) -> str:
        """The model as text, which is written to ``path`` if one is given.

        Units, formulas and parameters stay as they were given; with ``si=True`` all numbers are in SI units.
        """
        text = self._to_si_toml() if si else self._to_toml()
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return text

    def copy(self) -> Model:
        """A model of its own that says the same."""
        return type(self)._of(self)

    def __copy__(self) -> Model:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Model:
        return self.copy()

    def __reduce__(self) -> Any:
        # functions go as far as their own pickles do
        return (_restored, (self.to_toml(), self.name, self._laws_given()))

    def __repr__(self) -> str:
        counts: dict[str, int] = {}
        for section, _, _ in self._items():
            counts[section] = counts.get(section, 0) + 1
        plural = {"body": "bodies"}
        words = [f"{n} {section if n == 1 else plural.get(section, section + 's')}" for section, n in counts.items()]
        return f"<linkwork.Model {self.name!r}: {', '.join(words) or 'empty'}>"


def _restored(text: str, name: str, laws: list[dict[str, Any]]) -> Model:
    model = parse(text, name=name)
    for law in laws:
        model._law(**law, there=True)
    return model


def _code(function: Any) -> str:
    """What tells a function from others, as far as it can be seen from outside."""
    code = getattr(function, "__code__", None)
    words = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', type(function).__qualname__)}"
    return words if code is None else f"{words} {code.co_code.hex()} {code.co_names} {_constants(code)}"


def _constants(code: Any) -> str:
    # code within code is told by its own instructions: its address changes
    inner = type(code)
    return str([_constants(c) + c.co_code.hex() if isinstance(c, inner) else c for c in code.co_consts])


def load(
    path: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Any = None,
    joints: Mapping[str, Any] | None = None,
) -> Model:
    """A model from a file, or by the name of a built-in one (``linkwork list models``).

    Robots (URDF) are imported: ``base`` is ``"fixed"`` or ``"floating"``, ``joints`` are start values
    such as ``{"elbow": "30 deg", "elbow.velocity": 2}``; ``model.notes`` says what of the file is not used.
    """
    if base not in (None, "fixed", "floating"):
        raise ValueError(f"base={base!r} is not possible; it is 'fixed' or 'floating'")
    starts = [f"{name}={value}" for name, value in (joints or {}).items()]
    gravity = None if gravity is None else [float(x) for x in gravity]
    return Model._of(_linkwork.Model._load(os.fspath(path), base, gravity, starts))


def parse(text: str, *, name: str = "model") -> Model:
    """A model from text."""
    return Model._of(_linkwork.Model._parse(text, name))
