"""The questions that can be asked of a model."""

from __future__ import annotations

import inspect
import json
import os
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _linkwork
from .elements import REGISTRY
from .model import Model, load, parse
from .progress import teller
from .run import CoupledRun, Run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .elements import CosimOptions, SimulateOptions

Progress = "bool | Callable[[float], object] | None"


class Problem:
    """A benchmark problem whose equations are built in (``linkwork list problems``)."""

    def __init__(self, name: str, **parameters: float) -> None:
        known = [name for name, _ in REGISTRY["problems"]]
        if name not in known:
            raise ValueError(f"there is no problem {name!r}; there are {', '.join(known)}")
        self.name = name
        self.parameters = {key: float(value) for key, value in parameters.items()}

    def __repr__(self) -> str:
        given = "".join(f", {k}={v!r}" for k, v in self.parameters.items())
        return f"linkwork.Problem({self.name!r}{given})"


def _as_model(model: Any) -> Model:
    if isinstance(model, Model):
        return model
    if isinstance(model, (str, os.PathLike)):
        return load(model)
    raise TypeError(f"a model is expected, or the name of one, not {type(model).__name__}")


def _results(work: Callable[[], Any], wrap: Callable[[Any], Any]) -> Any:
    """What ``work`` gives; an exception on the way keeps the results so far as ``run``."""
    try:
        return wrap(work())
    except BaseException as error:
        data = getattr(error, "_linkwork_data", None)
        if data is not None:
            del error._linkwork_data  # type: ignore[attr-defined]
            error.run = run = wrap(data)  # type: ignore[attr-defined]
            if hasattr(error, "add_note"):
                error.add_note(f"the run of {run.model} was stopped at t = {run.t_last:g} s; the results so far are the attribute `run` of this exception")
        raise


def simulate(
    model: Model | Problem | str | os.PathLike[str],
    *,
    t_eval: Any = None,
    verify: bool = False,
    estimate: bool = False,
    progress: bool | Callable[[float], object] | None = None,
    story: bool = False,
    **options: Unpack[SimulateOptions],
) -> Run:
    """Simulates a model and judges the result.

    A run that fails is a result too: look at ``run.success`` and ``run.message``, or insist with
    ``run.require()``. What is not given here is taken from the ``[simulation]`` table of the model.

    t_eval: Times of the rows, and no others; otherwise ``outputs`` says which points are kept.
    verify: Computes the motion once more by an independent way; ``run.verification`` says how far the two agree,
        and the verdict takes it into account.
    estimate: Estimates the error at the end from the motion at ten times the tolerance, in ``run.verification``.
        Where method or tolerance is left open, tighter runs take the place of one that is not good enough, for at most
        five times its work in all, and a note tells.
    progress: True for a line on stderr, or a function that is called with the share that is done.
    story: Keeps what the steps were like, for the page of ``run.view()``.
    """
    if t_eval is not None:
        if "outputs" in options:
            raise TypeError("t_eval and outputs both say which points are kept; give one of them")
        options["outputs"] = t_eval
    given: dict[str, Any] = dict(options)
    if isinstance(model, Problem):
        tell = teller(progress, model.name)
        problem = model
        return _results(lambda: _linkwork.simulate_problem(problem.name, problem.parameters, given, tell, verify, estimate), Run)
    one = _as_model(model)
    tell = teller(progress, one.name)
    return _results(lambda: _linkwork.simulate(one, given, tell, story, verify, estimate), Run)


def kinematics(
    model: Model | str | os.PathLike[str],
    *,
    t_eval: Any = None,
    progress: bool | Callable[[float], object] | None = None,
    **options: Unpack[SimulateOptions],
) -> Run:
    """Computes a motion that drives determine completely, with the reactions and what the drives need:
    inverse dynamics. Nothing is integrated; options are ``t_end`` and ``outputs``."""
    if t_eval is not None:
        options["outputs"] = t_eval
    one = _as_model(model)
    given: dict[str, Any] = dict(options)
    return _results(lambda: _linkwork.kinematics(one, given, teller(progress, one.name)), Run)


class Answer(Mapping[str, Any]):
    """What was found out about a model, as the command line tells it with ``--json``: a mapping whose
    entries are attributes too."""

    _title = "Answer"

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def __getitem__(self, key: str) -> Any:
        return self._facts[key]

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key not in self._facts:
            raise AttributeError(f"there is no {key!r}; there are {', '.join(self._facts)}")
        return self._facts[key]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._facts]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def __repr__(self) -> str:
        facts = {k: v for k, v in self._facts.items() if k not in ("model", "values", "modes") and v not in (None, [])}
        words = textwrap.fill(", ".join(f"{k}={v!r}" for k, v in facts.items()), 100, subsequent_indent="    ")
        return f"<linkwork.{type(self).__name__} {self._facts.get('model')!r}: {words}>"


class Findings(Answer):
    """What :func:`check` has found: ``verdict`` (``"sound"``, ``"findings"``, ``"does not start"``), ``dof``,
    ``redundant``, ``lint``, ..."""

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return self["verdict"] == "sound"


class Equilibrium(Answer):
    """Where :func:`equilibrium` has found balance: ``verdict``, ``stability``, ``values`` of all channels."""

    def __init__(self, facts: dict[str, Any], units: list[str], rest: str | None) -> None:
        super().__init__(facts)
        #: Units of the values.
        self.units: dict[str, str] = dict(zip(facts.get("values", {}), units))
        self._rest = rest

    @property
    def success(self) -> bool:
        """Whether there is a balance."""
        return self["verdict"] != "failed"

    @property
    def at_rest(self) -> Model:
        """The model with the balance as its start."""
        if self._rest is None:
            raise ValueError("no balance was found")
        return parse(self._rest)


class Modes(Answer):
    """What :func:`modes` has found: ``modes`` is a list of dicts with ``frequency_hz``, ``damping_ratio``,
    ``words`` (what moves) and ``shape``."""

    @property
    def frequencies(self) -> Any:
        """Frequencies of all modes, Hz."""
        import numpy as np

        return np.array([mode["frequency_hz"] for mode in self["modes"]])

    @property
    def damping(self) -> Any:
        """Damping ratios of all modes."""
        import numpy as np

        # a free motion has none
        ratios = [mode["damping_ratio"] for mode in self["modes"]]
        return np.array([np.nan if ratio is None else ratio for ratio in ratios], dtype=float)

    def to_pandas(self) -> Any:
        """The modes as a pandas DataFrame."""
        import pandas as pd

        keys = ("number", "frequency_hz", "natural_hz", "damping_ratio", "re", "im", "kind", "words")
        return pd.DataFrame([{k: mode.get(k) for k in keys} for mode in self["modes"]]).set_index("number")


def check(
    model: Model | str | os.PathLike[str], *, matrix: bool = False, **options: Unpack[SimulateOptions]
) -> Findings:
    """Looks at a model without running it: degrees of freedom, redundant equations, start pose, odd numbers;
    with ``matrix`` also at the iteration matrix."""
    return Findings(json.loads(_linkwork.check(_as_model(model), dict(options), matrix)))


def equilibrium(model: Model | str | os.PathLike[str], **options: Unpack[SimulateOptions]) -> Equilibrium:
    """Finds the pose in which all forces balance, the one that the start settles to."""
    found, units, rest = _linkwork.equilibrium(_as_model(model), dict(options))
    return Equilibrium(json.loads(found), units, rest)


def modes(
    model: Model | str | os.PathLike[str], *, at: str = "start", **options: Unpack[SimulateOptions]
) -> Modes:
    """Finds natural frequencies, damping and shapes about the ``"start"``, the ``"equilibrium"`` or the
    ``"end"`` of a run."""
    return Modes(json.loads(_linkwork.modes(_as_model(model), at, dict(options))))


def cosim(
    system: str | os.PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    progress: bool | Callable[[float], object] | None = None,
    **options: Unpack[CosimOptions],
) -> CoupledRun:
    """Simulates several models side by side, connected at macro points, with an error estimate. ``system`` is
    a file or the name of a built-in system; ``set`` gives keys of it other values."""
    word = os.fspath(system)
    changes = [f"{path}={value}" for path, value in (set or {}).items()]
    given: dict[str, Any] = dict(options)
    return _results(lambda: _linkwork.cosim(word, changes, given, teller(progress, word)), CoupledRun)


class Comparison(Answer):
    """What :func:`study` has found: ``rows`` (a dict for each run: setting, errors, work), ``findings`` (the cheapest
    setting for each number of digits), ``reference``, ``left_out``."""

    def __init__(self, facts: dict[str, Any], diagrams: dict[str, str]) -> None:
        super().__init__(facts)
        #: Work-precision diagrams (SVG) of what was measured.
        self.diagrams = diagrams

    def cheapest(self, digits: float, measure: str | None = None) -> dict[str, Any]:
        """Options that reach these digits with the least counted work, for ``lw.simulate(model, **options)``."""
        measure = self["measures"][0] if measure is None else measure
        for finding in self["findings"]:
            if finding["digits"] == digits and finding["measure"] == measure:
                if finding["cheapest"] is None:
                    raise ValueError(finding["without"])
                return {key: value for key, value in finding["cheapest"].items() if value is not None}
        asked = sorted({finding["digits"] for finding in self["findings"]})
        raise ValueError(f"{digits} digits of {measure!r} were not asked for; there are {asked} of {self['measures']}")

    def to_pandas(self) -> Any:
        """A row for each run."""
        import pandas as pd

        rows = []
        for row in self["rows"]:
            errors = {f"error of {name}": error for name, error in zip(self["measures"], row["errors"])}
            rows.append({key: value for key, value in row.items() if key not in ("errors", "digits")} | errors)
        return pd.DataFrame(rows)

    def _repr_html_(self) -> str:
        return "".join(self.diagrams.values())


def study(
    model: Model | str | os.PathLike[str],
    *,
    methods: Sequence[str] = (),
    formulations: Sequence[str] = (),
    tolerances: Sequence[float] = (),
    channels: Sequence[str] = (),
    digits: Sequence[float] = (3, 5, 7),
    threads: int | None = None,
    limit: float = 600,
    progress: bool | Callable[[float], object] | None = None,
    **options: Unpack[SimulateOptions],
) -> Comparison:
    """Runs a model by every method, formulation, coordinates and tolerance, and measures errors against tight runs of
    other families: which setting reaches the wanted digits with the least work?

    methods, formulations, tolerances: Those that are tried; all unless given.
    channels: What is measured, one by one; all positions and angles together unless given.
    digits: Wanted digits.
    limit: Time that the whole may take, s.
    options: ``t_end``, ``max_step`` and the like hold for all runs; ``coordinates`` for one choice only.
    """
    one = _as_model(model)
    tried = ([*methods], [*formulations], [float(x) for x in tolerances], [*channels], [float(x) for x in digits])
    threads = threads or os.cpu_count() or 1
    found, diagrams = _linkwork.study(one, tried, threads, float(limit), dict(options), teller(progress, one.name))
    return Comparison(json.loads(found), diagrams)


class Study:
    """A published table beside the one that was measured."""

    def __init__(self, columns: list[str], rows: list[tuple[str, list[Any], list[Any]]], notes: list[str]) -> None:
        self.columns = columns
        self.labels = [label for label, _, _ in rows]
        self.paper = [dict(zip(columns, paper)) for _, paper, _ in rows]
        self.measured = [dict(zip(columns, measured)) for _, _, measured in rows]
        self.notes = notes

    def to_pandas(self) -> Any:
        """Both tables as a pandas DataFrame with columns ``(side, name)``."""
        import pandas as pd

        sides = {"paper": self.paper, "measured": self.measured}
        frames = {side: pd.DataFrame(rows, index=self.labels, columns=self.columns) for side, rows in sides.items()}
        return pd.concat(frames, axis=1)

    def __repr__(self) -> str:
        return f"<linkwork.Study: {len(self.labels)} rows of {', '.join(self.columns)}>"


def reproduce(id: str) -> Study:
    """Computes a published table or figure again (``linkwork reproduce`` lists them)."""
    return Study(*_linkwork.reproduce(id))


def solve_dae(
    residual: Callable[..., Any],
    t_span: Sequence[float],
    q0: Any,
    v0: Any,
    *,
    constraint: Callable[..., Any] | None = None,
    nonholonomic: Callable[..., Any] | None = None,
    rates: Callable[..., Any] | None = None,
    x0: Any = (),
    scale: Any = None,
    events: Callable[..., Any] | Sequence[Callable[..., Any]] = (),
    t_eval: Any = None,
    progress: bool | Callable[[float], object] | None = None,
    **options: Unpack[SimulateOptions],
) -> Run:
    """Integrates equations of motion of one's own, with constraints, in the manner of ``solve_ivp``::

        M(q, t) a + C_q' lam = Q(q, v, t)        residual(t, q, v, a, lam)
        C(q, t) = 0                              constraint(t, q)
        g(q, v, t) = 0                           nonholonomic(t, q, v)
        x' = f(q, v, x, t)                       rates(t, q, v, x)

    residual: The left side minus the right one, linear in ``a`` and ``lam``; with states ``x0`` it gets ``x`` as its
        last argument. ``lam`` has the multipliers of ``constraint``, then those of ``nonholonomic``.
    q0, v0: Start guesses; they are moved onto the constraints.
    scale: Typical sizes of the coordinates, which absolute tolerances refer to; 1 unless given.

    events: Functions ``event(t, q, v)``, with ``x`` behind where there are states, whose zeros are located, written as
        rows and listed by ``run.events`` under the name of the function. They may have attributes as for
        ``solve_ivp``: ``terminal = True`` ends the run, ``direction`` is 1 or -1 where only rising or falling values
        count; and ``jump``, a function of the same arguments that gives the velocities, then the states, after it.

    Channels are ``q1``, ``v1``, ..., ``x1``, ... and ``lambda1``, .... Derivatives are differenced; options are those
    of :func:`simulate`. What a function raises ends the run; the exception has the results so far as ``run``.
    """
    start, end = t_span
    q, v, x = ([float(value) for value in values] for values in (q0, v0, x0))
    if len(q) != len(v):
        raise ValueError(f"q0 has {len(q)} entries and v0 {len(v)}")
    if bool(x) != (rates is not None):
        raise ValueError("states x0 and their rates go together")
    sizes = [1.0] * len(q) if scale is None else [float(size) for size in scale]
    if len(sizes) != len(q):
        raise ValueError(f"q0 has {len(q)} entries and scale {len(sizes)}")
    given: dict[str, Any] = {"t_end": end, **options}
    if t_eval is not None:
        given["outputs"] = t_eval
    tell = teller(progress, "equations")
    functions = (residual, constraint, nonholonomic, rates)
    zeros = [_event(f, i) for i, f in enumerate([events] if callable(events) else events, 1)]
    return _results(
        lambda: _linkwork.solve_dae(*functions, float(start), q, v, x, sizes, zeros, given, tell), Run
    )


def _event(function: Any, number: int) -> tuple[Any, str, int, Any, bool]:
    if not callable(function):
        raise TypeError(f"event {number} is no function")
    direction = float(getattr(function, "direction", 0))
    terminal = getattr(function, "terminal", False)
    if terminal not in (False, True, None):
        raise ValueError(f"event {number}: terminal={terminal!r}; it ends the run at its first zero (True) or not")
    name = getattr(function, "__name__", type(function).__name__)
    jump = getattr(function, "jump", None)
    return function, name, (direction > 0) - (direction < 0), jump, bool(terminal)


def view(model: Any, path: str | os.PathLike[str] | None = None, *, open: bool | None = None, **options: Any) -> Any:
    """Simulates a model and shows it, as ``linkwork view`` does. For a run: ``run.view()``."""
    return simulate(model, story=True, **options).view(path, open=open)


def _document(function: Any, options: list[dict[str, Any]]) -> None:
    """Gives a function the options of the registry as keywords."""
    lines = [inspect.cleandoc(function.__doc__), "", "Options:"]
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    for option in options:
        default = option["default"]
        words = f"{option['name']}: {option['doc']}" + (f" (default: {default})" if default else "")
        if option["choices"]:
            words += f" One of {', '.join(option['choices'])}."
        lines += textwrap.wrap(words, 96, initial_indent="    ", subsequent_indent="        ")
        parameters.append(inspect.Parameter(option["name"], inspect.Parameter.KEYWORD_ONLY, default=None))
    function.__doc__ = "\n".join(lines)
    function.__signature__ = signature.replace(parameters=parameters)


_document(simulate, REGISTRY["simulate"])
_document(cosim, REGISTRY["cosim"])
