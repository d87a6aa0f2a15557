"""Many runs of one model with other values, over all cores or a cluster."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _linkwork
from .analyses import _as_model
from .model import Model, _restored
from .progress import teller

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Points that one task of a cluster computes.
CHUNK = 25


class SweepResult:
    """The outcomes of a sweep, in the order of its points.

    ``result["max(rod.angle)"]`` and ``result["spring.stiffness"]`` are arrays over the points;
    ``verdicts``, ``messages`` and ``steps`` tell of each run.
    """

    def __init__(self, names: list[str], points: list[list[Any]], core: _linkwork.Sweep) -> None:
        outcomes = core.outcomes()
        #: Numbers of the points that were computed: all of them, unless the sweep was stopped.
        self.numbers = [number for number, _, _, _ in outcomes]
        self.verdicts = [verdict for _, verdict, _, _ in outcomes]
        self.messages = [message for _, _, message, _ in outcomes]
        self.steps = [steps for _, _, _, steps in outcomes]
        #: What was varied.
        self.varied = names
        #: Units of what was kept.
        self.units: dict[str, str] = dict(core.outputs())
        #: What was kept.
        self.outputs = list(self.units)
        self._points = [points[number] for number in self.numbers]
        #: A row for each point, a column for each output; NaN where there is no whole run.
        self.values: NDArray[np.float64] = core.values()

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, name: str) -> Any:
        import numpy as np

        if name in self.units:
            return self.values[:, self.outputs.index(name)]
        if name in self.varied:
            column = self.varied.index(name)
            return np.array([point[column] for point in self._points])
        raise KeyError(f"there is no {name}; varied are {', '.join(self.varied)}, kept are {', '.join(self.outputs)}")

    @property
    def success(self) -> bool:
        """Whether all runs reached their end."""
        return all(verdict in ("converged", "degraded") for verdict in self.verdicts)

    @property
    def failures(self) -> dict[int, str]:
        """Messages of the points that have no whole run, by number."""
        rows = zip(self.numbers, self.verdicts, self.messages)
        return {number: message for number, verdict, message in rows if verdict in ("failed", "invalid")}

    def to_pandas(self) -> Any:
        """A row for each point: what was varied, the verdict, what was kept."""
        import pandas as pd

        columns: dict[str, Any] = {name: [point[k] for point in self._points] for k, name in enumerate(self.varied)}
        columns |= {"verdict": self.verdicts, "message": self.messages, "steps": self.steps}
        columns |= {name: self.values[:, k] for k, name in enumerate(self.outputs)}
        frame = pd.DataFrame(columns, index=pd.Index(self.numbers, name="point"))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table of :meth:`to_pandas` as parquet (needs pyarrow); units are in the metadata of the columns."""
        import pyarrow as pa  # type: ignore[import-not-found]
        import pyarrow.parquet as pq  # type: ignore[import-not-found]

        columns: dict[str, Any] = {"point": pa.array(self.numbers, pa.int64())}
        for k, name in enumerate(self.varied):
            values = [point[k] for point in self._points]
            plain = all(isinstance(value, (int, float)) for value in values)
            # values that are no numbers, or have units, are words
            columns[name] = pa.array([float(v) for v in values]) if plain else pa.array([_written(v) for v in values])
        columns |= {"verdict": pa.array(self.verdicts), "message": pa.array(self.messages)}
        columns["steps"] = pa.array(self.steps, pa.int64())
        columns |= {name: pa.array(self.values[:, k]) for k, name in enumerate(self.outputs)}
        fields = [
            pa.field(name, column.type, metadata={"unit": self.units[name]} if name in self.units else None)
            for name, column in columns.items()
        ]
        table = pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields))
        draft = f"{os.fspath(path)}.part"
        pq.write_table(table, draft)
        os.replace(draft, path)

    def __repr__(self) -> str:
        counts = {word: self.verdicts.count(word) for word in dict.fromkeys(self.verdicts)}
        words = ", ".join(f"{n} {word}" for word, n in counts.items())
        return f"<linkwork.SweepResult: {len(self)} points over {', '.join(self.varied)}: {words}>"


def _points(vary: Any, mode: str) -> tuple[list[str], list[list[Any]]]:
    if hasattr(vary, "columns") and hasattr(vary, "to_dict"):
        # a table has a point in each row
        names = [str(name) for name in vary.columns]
        return names, [list(row) for row in vary.itertuples(index=False)]
    if not isinstance(vary, Mapping) or not vary:
        raise TypeError("what is varied is a dict of paths and their values, or a DataFrame")
    names = list(vary)
    axes = [values.tolist() if hasattr(values, "tolist") else list(values) for values in vary.values()]
    if mode == "grid":
        return names, [list(point) for point in itertools.product(*axes)]
    if mode == "zip":
        lengths = {name: len(axis) for name, axis in zip(names, axes)}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"values that go together must be equally many, not {lengths}")
        return names, [list(point) for point in zip(*axes)]
    raise ValueError(f"mode={mode!r} is not possible; it is 'grid' or 'zip'")


def _written(value: Any) -> str:
    """A value as model text has it; numbers keep all their digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(f'"{item}"' if isinstance(item, str) else _written(item) for item in value) + "]"
    if hasattr(value, "tolist"):
        return _written(value.tolist())
    return repr(float(value))


def sweep(
    model: Model | str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]] | Any,
    *,
    outputs: str | Sequence[str] = (),
    mode: str = "grid",
    backend: str = "threads",
    workers: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    parquet: bool | None = None,
    progress: bool | Callable[[float], object] | None = None,
    chunk: int = CHUNK,
    client: Any = None,
    rows: Any = None,
    **options: Any,
) -> SweepResult:
    """Runs a model many times with other values.

    vary: Paths with their values, ``{"spring.stiffness": np.linspace(1e4, 4e4, 9)}``; several make a grid, or
        with ``mode="zip"`` points that go together. A pandas DataFrame has a point in each row.
    outputs: What to keep of each run: ``"rod.angle"`` is its last value, ``"max(rod.angle)"`` what is made of its
        course (first, last, max, min, peak, mean, rms); all channels at the end where nothing is named.
    backend: ``"threads"`` on this machine, ``"ray"`` or ``"dask"`` on the cluster that is connected.
    workers: Threads, or tasks at a time; as many as there are cores unless given.
    folder: Outcomes are written there as they come (``log.csv``, then ``sweep.csv``); a sweep that was
        interrupted goes on where it was. ``parquet`` writes ``sweep.parquet`` beside them: where pyarrow is
        installed, unless told otherwise.
    rows: The option ``outputs`` of each run: which points of its course are looked at.
    client: A client of Dask, if not the current one.
    options: Those of :func:`simulate`.

    Results are the same bits whatever computes them. A run that fails is told in ``verdicts`` and ``messages`` and
    does not stop the others.
    """
    one = _as_model(model)
    names, points = _points(vary, mode)
    words = [outputs] if isinstance(outputs, str) else list(outputs)
    given = dict(options) | ({} if rows is None else {"outputs": rows})
    written = [[_written(value) for value in point] for point in points]
    place = None if folder is None else os.fspath(folder)
    core = _linkwork.Sweep(one, names, written, words, given, place)
    tell = teller(progress, f"{one.name} sweep")
    try:
        if backend == "threads":
            core.run(workers or os.cpu_count() or 1, tell)
        elif backend in ("ray", "dask"):
            # the model as its pickle has it
            task = (*one.__reduce__()[1], names, words, given)
            run = _ray if backend == "ray" else _dask
            run(core, task, written, chunk, workers, tell, client)
        else:
            raise ValueError(f"backend={backend!r} is not possible; it is 'threads', 'ray' or 'dask'")
    except BaseException as error:
        core.finish()
        error.sweep = SweepResult(names, points, core)  # type: ignore[attr-defined]
        raise
    core.finish()
    result = SweepResult(names, points, core)
    if folder is not None and parquet is not False and (parquet or _has_arrow()):
        result.to_parquet(os.path.join(folder, "sweep.parquet"))
    return result


def _has_arrow() -> bool:
    import importlib.util

    return importlib.util.find_spec("pyarrow") is not None


def _compute(task: tuple[Any, ...], numbers: list[int], points: list[list[str]]) -> list[Any]:
    """Computes some points, on whatever machine this is."""
    text, name, laws, names, words, given = task
    core = _linkwork.Sweep(_restored(text, name, laws), names, points, words, given, None)
    outcomes = core.compute(list(range(len(points))), 1)
    return [(numbers[i], *rest) for i, *rest in outcomes]


def _chunks(core: Any, points: list[list[str]], chunk: int) -> list[tuple[list[int], list[list[str]]]]:
    left = core.left()
    parts = [left[i : i + chunk] for i in range(0, len(left), max(1, chunk))]
    return [(part, [points[i] for i in part]) for part in parts]


def _ray(core: Any, task: Any, points: Any, chunk: int, workers: int | None, tell: Any, client: Any) -> None:
    import ray  # type: ignore[import-not-found]

    if not ray.is_initialized():
        ray.init(address=os.environ.get("RAY_ADDRESS"), num_cpus=None if "RAY_ADDRESS" in os.environ else workers)
    # the model goes over the wire once; a task whose worker is lost is done again
    shipped = ray.put(task)
    remote = ray.remote(num_cpus=1, max_retries=5, retry_exceptions=False)(_compute)
    waiting = _chunks(core, points, chunk)
    total = sum(len(numbers) for numbers, _ in waiting)
    limit = 2 * (workers or int(ray.cluster_resources().get("CPU", 1)))
    running: list[Any] = []
    done = 0
    try:
        while waiting or running:
            while waiting and len(running) < limit:
                numbers, some = waiting.pop(0)
                running.append(remote.remote(shipped, numbers, some))
            ready, running = ray.wait(running, num_returns=1)
            for outcome in ready:
                outcomes = ray.get(outcome)
                core.accept(outcomes)
                done += len(outcomes)
            if tell is not None:
                tell(done / max(1, total))
    except BaseException:
        for task_left in running:
            ray.cancel(task_left, force=False)
        raise


def _dask(core: Any, task: Any, points: Any, chunk: int, workers: int | None, tell: Any, client: Any) -> None:
    from distributed import Client, as_completed, get_client  # type: ignore[import-not-found]

    own = None
    if client is None:
        try:
            client = get_client()
        except ValueError:
            client = own = Client(n_workers=workers or os.cpu_count() or 1, threads_per_worker=1, dashboard_address=None)
    try:
        shipped = client.scatter(task, broadcast=True, hash=False)
        parts = _chunks(core, points, chunk)
        total = sum(len(numbers) for numbers, _ in parts)
        futures = [client.submit(_compute, shipped, numbers, some, pure=False, retries=5) for numbers, some in parts]
        done = 0
        for future in as_completed(futures):
            outcomes = future.result()
            core.accept(outcomes)
            done += len(outcomes)
            if tell is not None:
                tell(done / max(1, total))
    finally:
        if own is not None:
            own.close()
