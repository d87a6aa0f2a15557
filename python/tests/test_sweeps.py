"""Sweeps: every backend and number of workers gives the same bits."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import linkwork as lw

VARY = {"rod.mass": np.linspace(1, 3, 4), "rod.inertia": [0.1, "0.2 kg m^2", 0.3]}
KEEP = ["rod.angle", "max(rod.angle.velocity)", "peak(hinge.reaction.x)", "mean(rod.x)", "rms(rod.y)"]


def table(result):
    return result.numbers, result.verdicts, result.messages, result.steps, result.values.tobytes()


def test_a_grid_is_many_single_runs(pendulum):
    result = lw.sweep(pendulum, VARY, outputs=KEEP, t_end=0.5, workers=2)
    assert len(result) == 12 and result.success and result.outputs == KEEP
    assert result["rod.mass"].tolist()[:4] == [1, 1, 1, 1 + 2 / 3]
    for number in (0, 7, 11):
        one = pendulum.copy()
        one.set("rod.mass", VARY["rod.mass"][number // 3]).set("rod.inertia", VARY["rod.inertia"][number % 3])
        run = lw.simulate(one, t_end=0.5)
        assert result["rod.angle"][number] == run["rod.angle"][-1]
        assert result["max(rod.angle.velocity)"][number] == run["rod.angle.velocity"].max()
        assert result["peak(hinge.reaction.x)"][number] == np.abs(run["hinge.reaction.x"]).max()
        x, t = run["rod.x"], run.t
        mean = (0.5 * (t[1:] - t[:-1]) * (x[1:] + x[:-1])).sum() / (t[-1] - t[0])
        assert result["mean(rod.x)"][number] == pytest.approx(mean, rel=1e-12)
        assert result.steps[number] == run.counters["steps"]


def test_workers_change_nothing(pendulum):
    alone = lw.sweep(pendulum, VARY, t_end=0.2, workers=1)
    assert table(lw.sweep(pendulum, VARY, t_end=0.2, workers=3)) == table(alone)
    zipped = lw.sweep(pendulum, {"rod.mass": [1, 2, 3]}, mode="zip", t_end=0.2)
    assert len(zipped) == 3
    with pytest.raises(ValueError):
        lw.sweep(pendulum, {"rod.mass": [1, 2], "rod.inertia": [1]}, mode="zip", t_end=0.2)


def test_failures_are_told_and_stop_nothing(pendulum):
    result = lw.sweep(pendulum, {"rod.mass": [1, -1, 2]}, t_end=0.1, outputs="rod.angle")
    assert result.verdicts == ["converged", "invalid", "converged"]
    assert "must not be negative" in result.failures[1]
    assert np.isnan(result["rod.angle"][1]) and not result.success
    frame = result.to_pandas() if _has("pandas") else None
    assert frame is None or frame["verdict"].tolist() == result.verdicts
    with pytest.raises(lw.ModelError, match="nothing is called"):
        lw.sweep(pendulum, {"rodd.mass": [1]}, t_end=0.1)
    with pytest.raises(ValueError, match="there is no channel"):
        lw.sweep(pendulum, {"rod.mass": [1]}, t_end=0.1, outputs="rod.angel")
    with pytest.raises(ValueError, match="no function"):
        lw.sweep(pendulum, {"rod.mass": [1]}, t_end=0.1, outputs="median(rod.angle)")


def test_a_sweep_goes_on_where_it_was(pendulum, tmp_path):
    whole = lw.sweep(pendulum, VARY, t_end=0.2, folder=tmp_path / "whole")
    log = (tmp_path / "whole" / "log.csv").read_text().splitlines(keepends=True)
    part = tmp_path / "part"
    part.mkdir()
    for name in ("manifest.json", "model.toml"):
        (part / name).write_text((tmp_path / "whole" / name).read_text())
    # as it is when everything ends in the middle of a line
    (part / "log.csv").write_text("".join(log[:6]) + log[6][:20])
    again = lw.sweep(pendulum, VARY, t_end=0.2, folder=part)
    assert table(again) == table(whole)
    resumed = (part / "log.csv").read_text().splitlines()
    assert len(resumed) == 13 and resumed[:6] == [line.rstrip("\n") for line in log[:6]]
    assert (part / "sweep.csv").read_bytes() == (tmp_path / "whole" / "sweep.csv").read_bytes()
    with pytest.raises(ValueError, match="another sweep"):
        lw.sweep(pendulum, VARY, t_end=0.3, folder=part)


def test_a_killed_sweep_computes_no_point_twice(pendulum, tmp_path):
    pendulum.to_toml(tmp_path / "pendulum.toml")
    code = textwrap.dedent(
        """
        import linkwork as lw, numpy as np
        lw.sweep("pendulum.toml", {"rod.mass": np.linspace(1, 2, 400)}, t_end=20, outputs="rod.angle", folder="f")
        """
    )
    child = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    log = tmp_path / "f" / "log.csv"
    waited = time.monotonic()
    while not log.exists() or log.read_bytes().count(b"\n") < 30:
        assert child.poll() is None and time.monotonic() - waited < 60
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    child.wait()
    kept = log.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    done = kept.count(b"\n") - 1
    assert 0 < done < 400
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert log.read_bytes().startswith(kept) and log.read_bytes().count(b"\n") == 401
    vary = {"rod.mass": np.linspace(1, 2, 400)}
    model = lw.load(tmp_path / "pendulum.toml")
    lw.sweep(model, vary, t_end=20, outputs="rod.angle", folder=tmp_path / "g", workers=1)
    assert (tmp_path / "f" / "sweep.csv").read_bytes() == (tmp_path / "g" / "sweep.csv").read_bytes()


def test_ctrl_c_stops_a_sweep(tmp_path):
    code = textwrap.dedent(
        """
        import linkwork as lw, numpy as np
        def tell(share):
            print("running", flush=True)
        weights = [[0, -g] for g in np.linspace(1, 2, 100000)]
        try:
            lw.sweep("pendulum", {"model.gravity": weights}, t_end=10, progress=tell)
        except KeyboardInterrupt as stopped:
            print(0 < len(stopped.sweep) < 100000, flush=True)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "running\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert out.split()[-1] == "True" and child.returncode == 0


def test_the_command_line_gives_the_same_table(pendulum, tmp_path):
    pendulum.to_toml(tmp_path / "pendulum.toml")
    command = os.path.join(os.path.dirname(sys.executable), "linkwork")
    words = "sweep pendulum.toml --t-end 0.2 --vary rod.mass=1..3:5 --vary rod.inertia=0.1,0.3 --keep max(rod.y) --out c -q"
    subprocess.run([command, *words.split()], cwd=tmp_path, check=True)
    vary = {"rod.mass": [1.0, 1.5, 2.0, 2.5, 3.0], "rod.inertia": ["0.1", "0.3"]}
    model = lw.load(tmp_path / "pendulum.toml")
    lw.sweep(model, vary, t_end=0.2, outputs="max(rod.y)", folder=tmp_path / "p")
    assert (tmp_path / "c" / "sweep.csv").read_bytes() == (tmp_path / "p" / "sweep.csv").read_bytes()


def test_dask_gives_the_same_bits(pendulum):
    pytest.importorskip("distributed", reason="DASK IS NOT HERE: its backend is not tested")
    alone = lw.sweep(pendulum, VARY, t_end=0.2)
    assert table(lw.sweep(pendulum, VARY, t_end=0.2, backend="dask", workers=2, chunk=3)) == table(alone)


def test_ray_gives_the_same_bits_when_a_worker_is_killed(pendulum):
    ray = pytest.importorskip("ray", reason="RAY IS NOT HERE: its backend is not tested")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        vary = {"rod.mass": np.linspace(1, 2, 2000)}
        alone = lw.sweep(pendulum, vary, t_end=5, outputs="rod.angle")
        killed = []

        def kill(share):
            if share > 0.3 and not killed:
                for pid in _ray_workers():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                    break

        result = lw.sweep(pendulum, vary, t_end=5, outputs="rod.angle", backend="ray", progress=kill)
        assert killed and table(result) == table(alone)
    finally:
        ray.shutdown()


def _ray_workers():
    """Processes that compute right now."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read()
        except OSError:
            continue
        if words.startswith(b"ray::_compute"):
            yield int(pid)


def _has(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None


def test_tables_are_parquet_too_where_pyarrow_is(pendulum, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet", reason="PYARROW IS NOT HERE: parquet is not tested")
    vary = {"rod.mass": [1, 2, 3], "hinge.at": [[0, 0], ["1 mm", 0]]}
    result = lw.sweep(pendulum, vary, outputs="max(rod.angle)", t_end=1, folder=tmp_path / "kept")
    table = pq.read_table(tmp_path / "kept/sweep.parquet")
    assert table["max(rod.angle)"].to_numpy().tobytes() == result["max(rod.angle)"].tobytes()
    assert table["rod.mass"].to_pylist() == [1, 1, 2, 2, 3, 3] and table["verdict"].to_pylist() == result.verdicts
    assert table.schema.field("max(rod.angle)").metadata == {b"unit": b"rad"}
