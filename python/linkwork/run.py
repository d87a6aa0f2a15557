"""Results of runs."""

from __future__ import annotations

import fnmatch
import html
import json
import os
import pathlib
import tempfile
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _linkwork
from .errors import RunError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_WILD = frozenset("*?[")


class Table(Mapping[str, Any]):
    """Channels over time. A name gives its array, a pattern (``"rod.*"``) a dict of arrays, a list of
    names a dict as well. Arrays are those of the run, not copies, and cannot be written to."""

    def __init__(self, channels: Callable[[], Sequence[tuple[str, str]]], column: Callable[[int], Any]) -> None:
        self._channels = channels
        self._column = column

    # made when somebody asks: many a run is asked for one number

    @cached_property
    def units(self) -> dict[str, str]:
        """Units of the channels by name; ``""`` where there is none."""
        return dict(self._channels())

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.units)}

    @property
    def t(self) -> Array:
        """Times of the rows, s."""
        return self._column(0)

    @property
    def names(self) -> list[str]:
        """Names of the channels."""
        return list(self._index)

    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, str):
            index = self._index.get(name)
            if index is not None:
                return self._column(index + 1)
            if name == "t":
                return self.t
            if _WILD & set(name):
                return {n: self._column(self._index[n] + 1) for n in self.match(name)}
            raise KeyError(self._unknown(name))
        return {n: self[n] for n in name}

    def match(self, *patterns: str) -> list[str]:
        """Names of the channels that fit one of the patterns (``*``, ``?``), in their order."""
        found = [n for n in self._index if any(fnmatch.fnmatchcase(n, p) for p in patterns)]
        if not found:
            raise KeyError(self._unknown(" or ".join(patterns)))
        return found

    def _unknown(self, name: str) -> str:
        import difflib

        near = difflib.get_close_matches(name, self._index, n=3)
        help = f"did you mean {' or '.join(near)}?" if near else "`names` has them all"
        return f"there is no channel {name}; {help}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def array(self, *names: str) -> Array:
        """Channels as one array, a row for each: a copy. Patterns are taken apart; without names all."""
        import numpy as np

        chosen = self._chosen(names)
        return np.stack([self[n] for n in chosen]) if chosen else np.empty((0, len(self.t)))

    def _chosen(self, names: Sequence[str]) -> list[str]:
        if not names:
            return list(self._index)
        chosen: list[str] = []
        for name in names:
            chosen += [name] if name in self._index else self.match(name)
        return list(dict.fromkeys(chosen))

    def to_pandas(self, *names: str) -> Any:
        """Channels as a pandas DataFrame over ``t``; units are in its ``attrs``."""
        import pandas as pd

        chosen = self._chosen(names)
        frame = pd.DataFrame({n: self[n] for n in chosen}, index=pd.Index(self.t, name="t"))
        frame.attrs["units"] = {n: self.units[n] for n in chosen}
        return frame

    def to_xarray(self, *names: str) -> Any:
        """Channels as an xarray Dataset over ``t``, with their units."""
        import xarray as xr

        chosen = self._chosen(names)
        data = {n: ("t", self[n], {"units": self.units[n]}) for n in chosen}
        return xr.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})})

    def plot(self, *names: str, ax: Any = None, **style: Any) -> Any:
        """Draws channels over time with matplotlib, one pair of axes for each unit; returns the axes.

        ``ax`` may be axes of one's own if all channels have one unit.
        """
        import matplotlib.pyplot as plt

        chosen = self._chosen(names)
        units = list(dict.fromkeys(self.units[n] for n in chosen))
        if ax is None:
            _, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained")
            axes = list(axes[:, 0])
        elif len(units) == 1:
            axes = [ax]
        else:
            raise ValueError(f"channels in {', '.join(units)} do not fit one pair of axes")
        for unit, axis in zip(units, axes):
            for name in (n for n in chosen if self.units[n] == unit):
                axis.plot(self.t, self[name], label=name, **style)
            axis.set_ylabel(unit)
            axis.legend()
        axes[-1].set_xlabel("t [s]")
        return axes[0] if len(axes) == 1 else axes


class Event(NamedTuple):
    """Something that happened during a run."""

    #: When, s.
    t: float
    #: ``"rises"``, ``"falls"``, ``"hits"``, ``"sticks"``, ``"clock"``, ...; ``"found"`` where nobody had named a jump.
    kind: str
    #: What: ``"event `low`"``, or whose force jumped.
    name: str
    #: What came of it: ``""``, ``"forces jump"``, ``"velocities jump"``, ``"the end"``.
    after: str


class Attempt(NamedTuple):
    """A step that was attempted."""

    #: Time before it, s.
    t: float
    #: Its length, s.
    step: float
    #: Its order.
    order: int
    #: Error over tolerance; None where its equations were not solved.
    error: float | None
    #: ``"accepted"``, ``"rejected"``, or why its equations were not solved.
    outcome: str
    #: The part of the model that ruled the error or the failure.
    limiter: str


class _Outcome:
    """What results of single and of coupled runs have in common."""

    _data: Any
    _facts: dict[str, Any] | None = None

    @property
    def summary(self) -> dict[str, Any]:
        """All there is to tell, as the object of ``linkwork run --json``."""
        if self._facts is None:
            self._facts = json.loads(self._data.summary())
        return self._facts

    @property
    def model(self) -> str:
        """Name of the model."""
        return self.summary.get("model", self._data.model)

    @property
    def verdict(self) -> str:
        """``"converged"``, ``"degraded"`` (a result with named doubts), ``"failed"``, or ``"interrupted"`` for rows that a
        run left when it was killed."""
        return self._data.verdict or self.summary.get("verdict", "unknown")

    @property
    def success(self) -> bool:
        """Whether the end was reached, or an event that ends the run."""
        return self.verdict not in ("failed", "interrupted") and not self.stopped

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped it."""
        t_end = self.summary.get("t_end")
        early = t_end is not None and self._data.t_last < t_end
        return early and self.verdict != "failed" and self._ended_by() is None

    def _ended_by(self) -> str | None:
        return None

    @property
    def message(self) -> str:
        """What came of it, in words."""
        failure = self._data.failure
        if failure is not None:
            return failure
        doubts = "; ".join(self.doubts)
        end = self._ended_by()
        words = doubts or ("the end was reached" if end is None else f"{end} ended the run")
        return f"{self.verdict}: {words}"

    @property
    def doubts(self) -> list[str]:
        """What speaks against the result."""
        return [_words(d) for d in self.summary.get("doubts", [])]

    @property
    def notes(self) -> list[str]:
        """What the run has taught."""
        return [_words(n) for n in self.summary.get("notes", [])]

    @property
    def t_last(self) -> float:
        """The last time reached, s."""
        return self._data.t_last

    def require(self) -> Any:
        """This run if it reached its end, else :class:`linkwork.RunError`."""
        if not self.success:
            raise RunError(f"{self.model}: {self.message}", self)
        return self

    def save(self, path: str | os.PathLike[str], formats: str | Sequence[str] = "npz") -> list[str]:
        """Writes table, units, summary and model to a directory: ``"csv"``, ``"npz"``, ``"parquet"`` or several. Returns
        the files; :func:`linkwork.open_run` and ``linkwork view`` read them."""
        chosen = [formats] if isinstance(formats, str) else list(formats)
        return self._data.save(os.fspath(path), chosen)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The page of ``linkwork view``, which is written to ``path`` if one is given."""
        page = self._data.html()
        if path is not None:
            pathlib.Path(path).write_text(page, encoding="utf-8")
        return page

    def view(self, path: str | os.PathLike[str] | None = None, *, open: bool | None = None) -> Any:
        """Shows the motion: in a notebook in place, elsewhere in the browser. The page is one file, kept at
        ``path`` if one is given; ``open=False`` only writes it."""
        page = self.to_html(path)
        if open is None and path is None and _in_notebook():
            from IPython.display import HTML  # type: ignore[import-not-found]

            frame = html.escape(page, quote=True)
            return HTML(f'<iframe srcdoc="{frame}" style="width:100%;height:640px;border:0"></iframe>')
        if path is None:
            with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
                file.write(page)
            path = file.name
        if open is not False:
            webbrowser.open(pathlib.Path(path).resolve().as_uri())
        return pathlib.Path(path)


class Run(_Outcome, Table):
    """The result of a run: channels over time, and what they are worth.

    ``run.t``, ``run["rod.angle"]`` and ``run["rod.*"]`` are NumPy arrays; ``run.success``,
    ``run.message``, ``run.nfev``, ``run.njev`` and ``run.nlu`` are named as SciPy names them.
    """

    _events: list[Event] | None = None

    def __init__(self, data: _linkwork.RunData) -> None:
        self._data = data
        Table.__init__(self, data.channels, lambda i: data.column(i - 1) if i else data.times())

    @property
    def counters(self) -> dict[str, Any]:
        """Work counters, with SciPy's names beside ours."""
        own = dict(self.summary.get("stats", {}))
        names = ("residual_evaluations", "residual_evaluations_for_jacobians", "right_hand_sides")
        own["nfev"] = sum(own.get(name, 0) for name in names)
        own["njev"] = own.get("jacobian_evaluations", 0)
        own["nlu"] = own.get("factorisations", 0)
        return own

    @property
    def nfev(self) -> int:
        """Evaluations of the equations, those for derivatives by differences included."""
        return self.counters["nfev"]

    @property
    def njev(self) -> int:
        """Evaluations of derivatives."""
        return self.counters["njev"]

    @property
    def nlu(self) -> int:
        """Factorisations."""
        return self.counters["nlu"]

    @property
    def status(self) -> int:
        """0: the end was reached; 1: an event ended it, or somebody stopped it; -1: it failed."""
        if self.stopped or self._ended_by() is not None:
            return 1
        return 0 if self.success else -1

    @property
    def events(self) -> list[Event]:
        """What happened on the way: jumps, contacts, events of the model, in order."""
        if self._events is None:
            self._events = [Event(*entry) for entry in self._data.events()]
        return self._events

    @cached_property
    def attempts(self) -> list[Attempt]:
        """Every attempted step of a run with ``outputs="steps"``: its order, length, error and who limited it."""
        return [Attempt(*entry) for entry in self._data.attempts()]

    def _ended_by(self) -> str | None:
        last = self.events[-1:]
        return next((event.name for event in last if event.after == "the end"), None)

    @property
    def limiters(self) -> dict[str, float]:
        """Parts that limited the step, with their share."""
        return {entry["owner"]: entry["share"] for entry in self.summary.get("limiters", [])}

    @property
    def energy(self) -> dict[str, float] | None:
        """Energy at start and end and the work between, J; with parts that bend also ``strain_start``, ``strain_end``
        and ``strain_most``, what they have of it. ``None`` where no account is kept."""
        return self.summary.get("energy")

    @property
    def verification(self) -> dict[str, Any] | None:
        """How far a second computation agrees: ``digits``, ``end_error``, the ``worst`` channels, where the two
        part, and the error of the run at its end in ``tolerances``; ``None`` unless the run was made with
        ``verify=True`` or ``estimate=True``."""
        return self.summary.get("verification")

    @property
    def final(self) -> dict[str, float]:
        """All channels at the last row."""
        return {name: float(self[name][-1]) for name in self} if len(self.t) else {}

    def __repr__(self) -> str:
        s = self.summary
        lines = [f"<linkwork.Run {self.model!r}: {self.verdict}"]
        lines += [f"  doubt: {doubt}" for doubt in self.doubts]
        lines += ["  " + line for line in (self._data.failure or "").splitlines()]
        if len(self.t):
            lines.append(f"  t = {self.t[0]:g} to {self.t[-1]:g} s, {len(self.t)} rows of {len(self)} channels")
        how = [s.get(key) for key in ("method", "formulation", "coordinates")]
        if any(how):
            rtol = s.get("rtol")
            lines.append("  " + ", ".join(str(word) for word in how if word) + (f", rtol {rtol:g}" if rtol else ""))
        stats = s.get("stats", {})
        if stats.get("steps"):
            lines.append(f"  {stats['steps']} steps ({stats['rejected']} rejected), nfev {self.nfev}, njev {self.njev}, nlu {self.nlu}")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        tone = {"converged": "#2a7d2a", "degraded": "#b07000"}.get(self.verdict, "#b02020")
        rows: list[tuple[str, str]] = []
        rows += [("doubt", doubt) for doubt in self.doubts] + [("note", note) for note in self.notes]
        if self._data.failure:
            rows.append(("failure", self._data.failure))
        if len(self.t):
            rows.append(("time", f"{self.t[0]:g} to {self.t[-1]:g} s, {len(self.t)} rows"))
        s = self.summary
        rows.append(("method", ", ".join(str(s[k]) for k in ("method", "formulation", "coordinates") if s.get(k))))
        c = self.counters
        rows.append(("work", f"{c.get('steps', 0)} steps, nfev {c['nfev']}, njev {c['njev']}, nlu {c['nlu']}"))
        shares = list(self.limiters.items())[:3]
        if shares:
            rows.append(("step set by", ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares)))
        rows.append(("channels", ", ".join(self.names[:8]) + (f" and {len(self) - 8} more" if len(self) > 8 else "")))
        cells = "".join(
            f'<tr><th style="text-align:left">{html.escape(a)}</th>'
            f'<td style="text-align:left;white-space:pre-wrap">{html.escape(b)}</td></tr>'
            for a, b in rows
        )
        title = f'<b>{html.escape(self.model)}</b>: <b style="color:{tone}">{html.escape(self.verdict)}</b>'
        return f"<div>{title}<table>{cells}</table></div>"


class CoupledRun(_Outcome):
    """The result of a co-simulation: a table for each subsystem, and one of the macro points."""

    def __init__(self, data: _linkwork.CoupledData) -> None:
        self._data = data

        def table(part: str) -> Table:
            return Table(lambda: data.channels(part), lambda i: data.column(part, i))

        names = data.parts()
        #: Tables of the subsystems by name.
        self.parts: dict[str, Table] = {name: table(name) for name in names if name}
        #: Steps, errors and inputs at the macro points.
        self.coupling: Table = table("")

    def __getitem__(self, name: str) -> Any:
        """A subsystem by its name, or a channel of it: ``run["chassis"]["axle.y"]``, ``run["chassis.axle.y"]``."""
        if name in self.parts:
            return self.parts[name]
        part, _, channel = name.partition(".")
        if part in self.parts and channel:
            return self.parts[part][channel]
        raise KeyError(f"there is no subsystem {part}; there are {', '.join(self.parts)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        parts = ", ".join(self.parts)
        return f"<linkwork.CoupledRun {self.model!r}: {self.message.splitlines()[0]}; subsystems {parts}>"


def open_run(path: str | os.PathLike[str]) -> Run:
    """The results of an earlier run from their directory (or a table in it)."""
    return Run(_linkwork.open_run(os.fspath(path)))


def _words(item: Any) -> str:
    if isinstance(item, dict):
        return str(item.get("text") or item.get("message") or item)
    return str(item)


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython  # type: ignore[import-not-found]
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})
