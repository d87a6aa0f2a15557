"""Analyses and what comes out of them."""

import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import ROOT, same_bits

import linkwork as lw


def test_the_error_at_the_end_is_estimated_where_asked():
    assert lw.simulate("squeezer").verification is None
    run = lw.simulate("squeezer", estimate=True)
    found = run.verification
    assert run.success and not found["independent"] and 0 <= found["tolerances"] < 100 and found["channel"] in run


def test_attempts_are_kept_with_every_step(pendulum):
    run = lw.simulate(pendulum, t_end=1, method="bdf", outputs="steps")
    accepted = [a for a in run.attempts if a.outcome == "accepted"]
    assert len(accepted) == run.counters["steps"] and len(run.attempts) > 10
    assert all(a.error <= 1 and a.limiter == "rod" and 1 <= a.order <= 5 for a in accepted)
    assert sum(a.step for a in accepted) == pytest.approx(1)
    assert lw.simulate(pendulum, t_end=1).attempts == []


def test_parts_have_tolerances_of_their_own(pendulum):
    def steps(**options):
        return lw.simulate(pendulum, t_end=1, method="bdf", rtol=1e-8, atol=1e-4, atol_v=1e-3, **options).counters["steps"]

    assert steps(atol_of=["rod=1e-9", "rod.velocity=1e-8"]) > 1.5 * steps()
    assert steps(atol_of="rod.angle=1e-9") > steps()
    with pytest.raises(lw.OptionError, match="rodd"):
        steps(atol_of="rodd=1e-9")


def test_a_run_is_arrays_and_a_verdict(pendulum):
    run = lw.simulate(pendulum, t_end=1, rtol=1e-6, method="bdf", formulation="ggl")
    assert run.verdict == "converged" and run.success and run.status == 0
    assert run.message == "converged: the end was reached"
    assert run.t.shape == run["rod.angle"].shape == (201,)
    assert run.units["rod.angle"] == "rad" and run.units["hinge.reaction.x"] == "N"
    assert set(run["rod.angle*"]) == {"rod.angle", "rod.angle.velocity", "rod.angle.acceleration"}
    assert list(run[["rod.x", "rod.y"]]) == ["rod.x", "rod.y"]
    assert run.array("rod.x", "rod.y").shape == (2, 201)
    length = np.hypot(run["rod.x"], run["rod.y"])
    assert np.abs(length - 0.5).max() < 1e-6
    assert run.nfev >= run.nlu >= 1 and run.counters["nfev"] == run.nfev and run.njev >= 1
    assert run.limiters and abs(sum(run.limiters.values()) - 1) < 1e-6
    assert run.final["rod.angle"] == run["rod.angle"][-1]
    assert "converged" in repr(run) and "<table>" in run._repr_html_()
    with pytest.raises(KeyError, match="did you mean rod.angle"):
        run["rod.angel"]


def test_arrays_are_those_of_the_run(pendulum):
    run = lw.simulate(pendulum, t_end=0.1)
    assert run["rod.x"] is run["rod.x"] and np.shares_memory(run["rod.x"], run["rod.*"]["rod.x"])
    assert not run["rod.x"].flags.writeable
    with pytest.raises(ValueError):
        run["rod.x"][0] = 1
    column = run["rod.x"]
    del run
    assert np.isfinite(column).all()


def test_rows_are_where_they_are_wanted(pendulum):
    dense = lw.simulate(pendulum, t_end=1, outputs=1000)
    times = [0.1, 0.25, 0.7]
    run = lw.simulate(pendulum, t_end=1, t_eval=times)
    assert run.t.tolist() == times
    assert run["rod.angle"].tolist() == [dense["rod.angle"][k] for k in (100, 250, 700)]
    assert lw.simulate(pendulum, t_end=1, t_eval=np.linspace(0, 1, 5)).t.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert lw.simulate(pendulum, t_end=1, t_eval=[0.5]).t.tolist() == [0.5]
    assert len(lw.simulate(pendulum, t_end=1, outputs="steps").t) == dense.counters["steps"] + 1
    for wrong in ([0.5, 0.5], [2.0], [-1.0, 0.5], [0.5, 0.1]):
        with pytest.raises(lw.OptionError):
            lw.simulate(pendulum, t_end=1, t_eval=wrong)
    with pytest.raises(TypeError):
        lw.simulate(pendulum, t_end=1, t_eval=[1], outputs=3)


def test_options_are_checked_as_on_the_command_line(pendulum):
    with pytest.raises(lw.OptionError, match="end time is missing"):
        lw.simulate(pendulum)
    with pytest.raises(TypeError, match="did you mean 'rtol'"):
        lw.simulate(pendulum, t_end=1, rtoll=1e-3)
    with pytest.raises(lw.OptionError, match="did you mean `bdf`") as caught:
        lw.simulate(pendulum, t_end=1, method="bfd")
    assert caught.value.option == "method"
    with pytest.raises(lw.OptionError):
        lw.simulate(pendulum, t_end=1, rtol=5)
    assert lw.simulate(pendulum, t_end="100 ms", max_step=np.inf, follow=None).t[-1] == 0.1
    assert lw.simulate(pendulum, t_end=0.1, max_order=np.int64(2)).success


def test_failures_are_results():
    model = lw.Model("locked")
    model.add_body("rod", mass=1, inertia=1, position=[1, 0])
    model.add_joint("hinge", "revolute", body_b="rod", at=[0, 0])
    model.add_force("pull", "force", body_b="rod", x="sqrt(0.5 - t)")
    run = lw.simulate(model, t_end=1)
    assert run.verdict == "failed" and not run.success and run.status == -1
    assert 0 < run.t_last < 1 and len(run.t) > 1
    with pytest.raises(lw.RunError) as caught:
        run.require()
    assert caught.value.run is run


def test_results_are_saved_and_opened(pendulum, tmp_path):
    run = lw.simulate(pendulum, t_end=0.5)
    for format in ("csv", "npz"):
        files = run.save(tmp_path / format, format)
        assert all(os.path.isfile(file) for file in files)
        back = lw.open_run(tmp_path / format)
        assert (back.verdict, back.units, back.nfev) == (run.verdict, run.units, run.nfev)
        assert back["rod.angle"].tobytes() == run["rod.angle"].tobytes()
        assert "<html" in back.to_html()
    with pytest.raises(ValueError):
        run.save(tmp_path, "xlsx")
    page = run.view(tmp_path / "page.html", open=False)
    assert page.stat().st_size > 100_000
    with pytest.raises(OSError):
        lw.open_run(tmp_path / "nowhere")


def test_pandas_and_xarray(pendulum):
    pd = pytest.importorskip("pandas")
    run = lw.simulate(pendulum, t_end=0.1)
    frame = run.to_pandas("rod.*")
    assert isinstance(frame, pd.DataFrame) and frame.attrs["units"]["rod.x"] == "m"
    assert frame["rod.x"].to_numpy().tobytes() == run["rod.x"].tobytes()
    xr = pytest.importorskip("xarray")
    assert isinstance(run.to_xarray(), xr.Dataset)


def test_plots(pendulum, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = lw.simulate(pendulum, t_end=0.1)
    axes = run.plot("rod.x", "rod.y", "rod.angle")
    assert len(axes) == 2
    axes[0].figure.savefig(tmp_path / "p.png")
    with pytest.raises(ValueError):
        run.plot("rod.x", "rod.angle", ax=axes[0])


def test_the_other_questions(pendulum):
    found = lw.check("squeezer", matrix=True)
    assert found.sound and found.dof == 1 and found["matrix"]["nonzeros"] > 0
    odd = [lw.check(path) for path in sorted((ROOT / "models" / "odd").glob("*.toml"))]
    assert odd and all(found.lint or not found.sound for found in odd)
    rest = lw.equilibrium("suspension")
    assert rest.success and rest.stability == "stable"
    assert lw.equilibrium(rest.at_rest).steps <= rest.steps
    modes = lw.modes("suspension", at="equilibrium")
    assert len(modes.frequencies) == len(modes.damping) == 2 and modes.stable
    motion = lw.kinematics("slider_crank", t_end=0.5, t_eval=[0, 0.5])
    assert motion.success and motion.t.tolist() == [0, 0.5]
    with pytest.raises(lw.ModelError, match="1 degree of freedom"):
        lw.kinematics(pendulum, t_end=1)
    pair = lw.cosim("two_mass", t_end=0.1)
    assert pair.success and set(pair.parts) == {"left", "right"}
    name = pair["left"].names[0]
    assert pair[f"left.{name}"] is pair["left"][name] or (pair[f"left.{name}"] == pair["left"][name]).all()
    assert lw.simulate(lw.Problem("andrews")).success
    with pytest.raises(ValueError):
        lw.Problem("andrew")


def test_checkpoints(pendulum, tmp_path):
    whole = lw.simulate(pendulum, t_end=1, outputs="steps", checkpoint=tmp_path / "a.ckpt")
    half = lw.simulate(pendulum, t_end=1, outputs="steps", max_steps=5, checkpoint=tmp_path / "b.ckpt")
    rest = lw.simulate(pendulum, t_end=1, outputs="steps", restart=tmp_path / "b.ckpt")
    joined = np.concatenate([half["rod.angle"], rest["rod.angle"]])
    assert joined.tobytes() == whole["rod.angle"].tobytes()


def test_checkpoints_of_a_text_are_beside_its_results(pendulum, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = pendulum.copy()
    model.set_simulation(checkpoint="kept.ckpt", checkpoint_steps=2)
    assert lw.sweep(model, {"rod.mass": [1, 2]}, outputs="rod.angle", t_end=0.1).verdicts == ["converged"] * 2
    assert not list(tmp_path.rglob("kept.ckpt"))
    lw.simulate(model, t_end=0.1, verify=True)
    assert [p.parent.parent.name for p in tmp_path.rglob("kept.ckpt")] == ["out"]


def test_a_run_that_was_killed_says_so(pendulum, tmp_path):
    pendulum.to_toml(tmp_path / "pendulum.toml")
    command = [sys.executable, "-m", "linkwork", "run", tmp_path / "pendulum.toml", "--t-end", "1e4", "--rtol", "1e-10"]
    with subprocess.Popen([*map(str, command), "--out", str(tmp_path / "out")], stdout=subprocess.DEVNULL) as process:
        rows = tmp_path / "out" / "table.csv"
        while not rows.exists() or rows.stat().st_size < 2000:
            time.sleep(0.05)
            assert process.poll() is None
        process.kill()
    run = lw.open_run(tmp_path / "out")
    assert run.verdict == "interrupted" and not run.success and run.status == -1 and len(run.t) > 2


def test_progress_is_told_and_its_exceptions_stop(pendulum):
    told = []
    assert lw.simulate(pendulum, t_end=0.1, progress=told.append).success
    assert told[-1] == 1.0

    class Enough(Exception):
        pass

    def stop(share):
        raise Enough

    with pytest.raises(Enough) as caught:
        lw.simulate(pendulum, t_end=1e5, rtol=1e-10, outputs=10, progress=stop)
    run = caught.value.run
    assert run.stopped and not run.success and 0 < run.t_last < 1e5


def test_ctrl_c_keeps_the_results_so_far():
    code = textwrap.dedent(
        """
        import linkwork as lw
        try:
            print("ready", flush=True)
            lw.simulate("pendulum", t_end=1e6, rtol=1e-10, outputs=1000)
        except KeyboardInterrupt as stopped:
            print(stopped.run.t_last > 0, len(stopped.run.t) > 1, stopped.run.verdict)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    assert out.split() == ["True", "True", "degraded"] and child.returncode == 0


def test_threads_run_side_by_side_and_models_may_change_meanwhile(pendulum):
    """The lock of the interpreter is free while Rust works; a run has the model as it was."""
    reference = lw.simulate(pendulum, t_end=200, rtol=1e-10)
    runs = {}

    def work(i):
        runs[i] = lw.simulate(pendulum, t_end=200, rtol=1e-10)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    ticks = 0
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        pendulum.set("hinge.at", [0, 0])
        ticks += 1
        time.sleep(0.001)
    assert ticks > 2
    for run in runs.values():
        same_bits(run, reference)


def test_many_runs_take_no_more_memory(pendulum):
    import resource

    def rounds(n):
        for _ in range(n):
            run = lw.simulate(pendulum, t_end=0.01, outputs=2)
            assert run["rod.x"].size and run.summary["stats"]["steps"] > 0
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = rounds(300)
    assert rounds(1500) - before < 3000  # kB; one kept run of this size is about 2 kB


def test_the_command_comes_with_the_package(tmp_path):
    command = os.path.join(os.path.dirname(sys.executable), "linkwork")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == f"linkwork {lw.__version__}" and done.returncode == 0
    done = subprocess.run([command, "run", "pendulum", "--out", "o"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and "converged" in done.stdout and (tmp_path / "o" / "table.csv").is_file()
    assert subprocess.run([command, "run", "nothing"], capture_output=True, cwd=tmp_path).returncode == 2
    done = subprocess.run([sys.executable, "-m", "linkwork", "list", "models"], capture_output=True, text=True)
    assert "squeezer" in done.stdout


def test_a_verified_run_says_how_far_to_believe_it(pendulum):
    run = lw.simulate(pendulum, t_end=5, rtol=1e-8, verify=True)
    found = run.verification
    assert run.verdict == "converged" and found["digits"] > 5 and found["tolerances"] < 100
    assert len(found["worst"]) > 5 and "rtol 1e-9" in found["companion"]
    assert lw.simulate(pendulum, t_end=1).verification is None
    # seen from inside a loose run is as good as a tight one
    loose = lw.simulate("four_bar", rtol=1e-3, method="dop853", verify=True)
    assert loose.verdict == "degraded" and "a second computation" in loose.message
    # a run is measured and left as it is; `estimate` mends one whose method is left open
    left = lw.simulate("four_bar", rtol=1e-3, verify=True)
    assert left.verdict == "degraded" and left.verification["asked"] == 1e-3
    mended = lw.simulate("four_bar", rtol=1e-3, estimate=True)
    assert mended.verdict == "converged" and mended.verification["asked"] == 1e-3
    problem = lw.simulate(lw.Problem("double_pendulum"), rtol=1e-6, verify=True)
    assert problem.verification["digits"] > 3

    def law(t):
        return math.sin(t)

    model = pendulum.copy()
    model.add_force("motor", "torque", body_b="rod", torque=lw.Law(law, "t"))
    assert lw.simulate(model, t_end=1, rtol=1e-6, verify=True).verification["digits"] > 3


def test_a_study_names_the_cheapest_setting(pendulum):
    told = []
    found = lw.study(
        pendulum, methods=["bdf", "dop853"], tolerances=[1e-4, 1e-6, 1e-8], digits=[3, 5], t_end=1, progress=told.append
    )
    assert {row["method"] for row in found.rows} == {"bdf", "dop853"}
    options = found.cheapest(5)
    run = lw.simulate(pendulum, t_end=1, **options)
    assert run.success and run.summary["method"] == options["method"]
    assert found.findings[0]["simulation"][0].startswith("method = ")
    assert found.diagrams["motion"].startswith("<svg") and told[-1] == 1
    with pytest.raises(ValueError, match="not asked for"):
        found.cheapest(4)
    with pytest.raises(ValueError, match="did you mean"):
        lw.study(pendulum, methods=["bfd"], t_end=1)
    frame = pytest.importorskip("pandas") and found.to_pandas()
    assert len(frame) == len(found.rows) and "error of motion" in frame.columns
