"""Functions of Python as parts of models, and equations of one's own."""

import copy
import math
import pickle
import time

import numpy as np
import pytest

import linkwork as lw


def swing(torque, **law):
    model = lw.Model("swing", gravity=[0, -9.81])
    model.add_body("rod", mass=2, inertia=0.17, position=[0.5, 0])
    model.joint.revolute("hinge", body_b="rod", at=[0, 0])
    if callable(torque):
        torque = lw.Law(torque, "t", "rod.angle", "rod.angle.velocity", **law)
    model.add_force("motor", "torque", body_b="rod", torque=torque)
    return model


def test_a_function_is_as_good_as_a_formula():
    formula = swing("3*sin(5*t) - 2*rod.angle.velocity - 10*rod.angle")
    function = swing(lambda t, angle, speed: 3 * math.sin(5 * t) - 2 * speed - 10 * angle)
    given = swing(
        lambda t, angle, speed: 3 * math.sin(5 * t) - 2 * speed - 10 * angle,
        jacobian=lambda t, angle, speed: [15 * math.cos(5 * t), -10, -2],
    )
    for options in ({"method": "bdf"}, {"method": "gen-alpha"}, {"method": "dop853"}, {"coordinates": "joint", "method": "bdf"}):
        runs = [lw.simulate(m, t_end=2, rtol=1e-8, **options).require() for m in (formula, function, given)]
        for run in runs[1:]:
            assert np.abs(run["rod.angle"] - runs[0]["rod.angle"]).max() < 1e-6
            # derivatives that are good make steps that are as good
            assert abs(run.counters["steps"] - runs[0].counters["steps"]) <= 0.05 * runs[0].counters["steps"]


def test_named_laws_and_other_questions():
    model = lw.Model("spring")
    model.add_body("mass", "point", mass=1, position=[0.3, 0])
    model.joint.point_on_line("guide", body_b="mass", at=[0, 0], axis=[1, 0])
    model.add_law("pull", lambda x: 1 - 4 * x, "mass.x")
    model.add_force("spring", "force", body_b="mass", x="pull")
    assert lw.modes(model).frequencies == pytest.approx([2 / (2 * np.pi)], rel=1e-6)
    assert lw.equilibrium(model)["values"]["mass.x"] == pytest.approx(0.25)
    assert lw.check(model).dof == 1
    twin = copy.copy(model)
    assert lw.simulate(twin, t_end=1)["mass.x"].tobytes() == lw.simulate(model, t_end=1)["mass.x"].tobytes()


def drag(vx, vy):
    """Against the motion, with the square of the speed."""
    speed = math.hypot(vx, vy)
    return -0.1 * speed * vx, -0.1 * speed * vy


def drag_slopes(vx, vy):
    speed = math.hypot(vx, vy) or 1.0
    return np.array([[-0.1 * (speed + vx * vx / speed), -0.1 * vx * vy / speed], [-0.1 * vx * vy / speed, -0.1 * (speed + vy * vy / speed)]])


def thrown(law=drag, **options):
    model = lw.Model("stone", gravity=[0, -9.81])
    model.add_body("stone", "point", mass=1, velocity=[10, 10])
    model.add_law("drag", law, "stone.x.velocity", "stone.y.velocity", outputs=2, **options)
    model.add_force("air", "force", body_b="stone", x="drag.1", y="drag.2")
    return model


def test_a_law_may_give_several_numbers():
    speed = "sqrt(stone.x.velocity^2 + stone.y.velocity^2)"
    formula = lw.Model("stone", gravity=[0, -9.81])
    formula.add_body("stone", "point", mass=1, velocity=[10, 10])
    formula.add_force("air", "force", body_b="stone", x=f"-0.1*{speed}*stone.x.velocity", y=f"-0.1*{speed}*stone.y.velocity")
    wanted = lw.simulate(formula, t_end=2, rtol=1e-9, method="bdf")
    assert {"drag.1", "drag.2"} <= set(thrown().signals)
    for model in (thrown(), thrown(jacobian=drag_slopes), thrown(jacobian=lambda vx, vy: drag_slopes(vx, vy).tolist())):
        run = lw.simulate(model, t_end=2, rtol=1e-9).require()
        assert np.abs(run["stone.y"] - wanted["stone.y"]).max() < 1e-7
        assert abs(run.counters["steps"] - wanted.counters["steps"]) <= 0.05 * wanted.counters["steps"]
    with pytest.raises(TypeError, match="must give 2 numbers, not 3"):
        lw.simulate(thrown(lambda vx, vy: (1.0, 2.0, 3.0)), t_end=1)
    with pytest.raises(TypeError, match="must give 4 numbers, not 2"):
        lw.simulate(thrown(jacobian=lambda vx, vy: (1.0, 2.0)), t_end=1)
    with pytest.raises(TypeError, match="name of its own"):
        formula.add_force("wind", "force", body_b="stone", x=lw.Law(drag, "t", "t", outputs=2))
    with pytest.raises(ValueError, match="at least one"):
        thrown().add_law("none", drag, outputs=0)


def test_models_with_functions_are_swept_and_pickled(tmp_path):
    vary = {"stone.mass": [0.5, 1, 2]}
    result = lw.sweep(thrown(), vary, outputs="stone.y", t_end=1, workers=2)
    for mass, y in zip(result["stone.mass"], result["stone.y"]):
        assert lw.simulate(thrown().set("stone.mass", float(mass)), t_end=1)["stone.y"][-1] == y
    twin = pickle.loads(pickle.dumps(thrown(jacobian=drag_slopes)))
    assert lw.simulate(twin, t_end=1)["stone.y"].tobytes() == lw.simulate(thrown(jacobian=drag_slopes), t_end=1)["stone.y"].tobytes()
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(thrown(lambda vx, vy: (0.0, 0.0)))

    # one point's exception is that point's failure
    def picky(vx, vy):
        if vx > 15:
            raise ArithmeticError("too fast")
        return 0.0, 0.0

    result = lw.sweep(thrown(picky), {"stone.velocity": [[10, 0], [20, 0]]}, outputs="stone.x", t_end=1)
    assert result.verdicts == ["converged", "failed"] and result.messages[1] == "ArithmeticError: too fast"
    assert result["stone.x"][0] == pytest.approx(10) and np.isnan(result["stone.x"][1])
    # other functions are another sweep
    lw.sweep(thrown(), vary, outputs="stone.y", t_end=1, folder=tmp_path / "kept")
    lw.sweep(thrown(), vary, outputs="stone.y", t_end=1, folder=tmp_path / "kept")
    with pytest.raises(ValueError, match="another sweep"):
        lw.sweep(thrown(picky), vary, outputs="stone.y", t_end=1, folder=tmp_path / "kept")


def test_sampled_laws_have_a_memory():
    calls = []

    def controller(angle, speed, memory):
        calls.append(angle)
        integral = memory[0] + 0.01 * (0.5 - angle)
        return 40 * (0.5 - angle) - 5 * speed + 60 * integral, [integral]

    model = lw.Model("arm", gravity=[0, -9.81])
    model.add_body("rod", mass=1, inertia=0.1, position=[0.5, 0])
    model.joint.revolute("hinge", body_b="rod", at=[0, 0])
    model.add_law("law", controller, "rod.angle", "rod.angle.velocity", period=0.01, memory=[0.0])
    model.add_force("motor", "torque", body_b="rod", torque="law")
    run = lw.simulate(model, t_end=4)
    assert run.success and abs(run["rod.angle"][-1] - 0.5) < 1e-2
    assert 400 <= len(calls) <= 402
    assert lw.simulate(model, t_end=4)["rod.angle"].tobytes() == run["rod.angle"].tobytes()


def test_what_a_function_raises_ends_the_run_with_the_results_so_far():
    def broken(t, angle, speed):
        if t > 0.3:
            raise ZeroDivisionError("by hand")
        return 0.0

    with pytest.raises(ZeroDivisionError, match="by hand") as caught:
        lw.simulate(swing(broken), t_end=1)
    assert caught.traceback[-1].name == "broken"
    run = caught.value.run
    assert 0.1 < run.t_last <= 0.3 and len(run.t) > 10
    # the next run starts anew
    with pytest.raises(ZeroDivisionError):
        lw.simulate(swing(broken), t_end=1)


@pytest.mark.parametrize("wrong", [lambda *u: "x", lambda *u: [1.0, 2.0], lambda *u: None, lambda: 1.0])
def test_functions_of_the_wrong_shape(wrong):
    with pytest.raises(TypeError):
        lw.simulate(swing(wrong), t_end=1)


def test_no_value_is_a_failure_not_a_crash():
    run = lw.simulate(swing(lambda t, a, s: float("nan") if t > 0.2 else 0.0), t_end=1)
    assert run.verdict == "failed" and 0 < run.t_last <= 0.2 and "motor" in run.message or "swing" in run.model
    with pytest.raises(lw.ModelError) as caught:
        lw.simulate(bad_signal(), t_end=1)
    assert "rod.angel" in str(caught.value)
    with pytest.raises(TypeError):
        lw.Model("m").add_law("law", 3)


def bad_signal():
    model = swing("0")
    model.add_law("law", lambda x: x, "rod.angel")
    model.add_force("push", "torque", body_b="rod", torque="law")
    return model


def test_a_call_costs_little():
    """Beyond the function itself, 2 microseconds at most."""
    count = 0

    def law(t, angle, speed):
        nonlocal count
        count += 1
        return 0.0

    with_function, without = swing(law, jacobian=lambda t, a, s: (0.0, 0.0, 0.0)), swing("0*rod.angle")
    best = []
    for model in (with_function, without):
        times = []
        for _ in range(5):
            clock = time.process_time()
            lw.simulate(model, t_end=20, outputs=1)
            times.append(time.process_time() - clock)
        best.append(min(times))
    calls = count / 5
    clock = time.process_time()
    for _ in range(10000):
        law(1.0, 2.0, 3.0)
    own = (time.process_time() - clock) / 10000
    # as many calls of the jacobian
    each = (best[0] - best[1]) / (2 * calls)
    print(f"{1e6 * each:.2f} us a call, {1e6 * own:.2f} us of it the function itself")
    assert each - own < 2e-6


def test_a_pendulum_by_its_residual():
    """In Cartesian coordinates, with a rigid string; against the angle as the only coordinate."""

    def residual(t, q, v, a, lam):
        return [2 * a[0] + q[0] * lam[0], 2 * a[1] + q[1] * lam[0] + 2 * 9.81]

    def length(t, q):
        return 0.5 * (q[0] ** 2 + q[1] ** 2 - 1)

    times = np.linspace(0, 2, 21)
    run = lw.solve_dae(residual, (0, 2), [1, 0], [0, 0], constraint=length, t_eval=times, rtol=1e-8)
    assert run.success, run.message
    assert np.abs(np.hypot(run["q1"], run["q2"]) - 1).max() < 1e-6

    def angle(t, q, v, a, lam):
        return a[0] + 9.81 * np.cos(q[0])

    one = lw.solve_dae(angle, (0, 2), [0], [0], t_eval=times, rtol=1e-10, method="dop853")
    assert np.abs(run["q1"] - np.cos(one["q1"])).max() < 1e-5
    energy = run["v1"] ** 2 + run["v2"] ** 2 + 2 * 9.81 * run["q2"]
    assert np.abs(energy).max() < 1e-4


def test_states_and_mistakes_of_equations():
    # a mass on a damper that remembers: x' = v - x
    def residual(t, q, v, a, lam, x):
        return a[0] + x[0]

    run = lw.solve_dae(residual, (0, 3), [0], [1], rates=lambda t, q, v, x: v - x, x0=[0], rtol=1e-8)
    exact = np.linalg.eig(np.array([[0, -1], [1, -1]]))
    state = (exact[1] @ np.diag(np.exp(exact[0] * 3)) @ np.linalg.inv(exact[1]) @ [1, 0]).real
    assert run["v1"][-1] == pytest.approx(state[0], abs=1e-6)
    with pytest.raises(ValueError):
        lw.solve_dae(residual, (0, 1), [0, 1], [1])
    with pytest.raises(ValueError):
        lw.solve_dae(residual, (0, 1), [0], [1], x0=[1])
    with pytest.raises(TypeError, match="2 numbers"):
        lw.solve_dae(lambda t, q, v, a, lam: [1.0], (0, 1), [0, 0], [0, 0])
    with pytest.raises(KeyError):
        lw.solve_dae(lambda t, q, v, a, lam: {}["x"], (0, 1), [0], [0])


def test_events_by_conditions_and_functions():
    for when in ("rod.angle < -1", lw.Law(lambda angle: -1 - angle, "rod.angle")):
        model = swing("0")
        model.event.stop("low", when=when)
        run = lw.simulate(model, t_end=2).require()
        assert run.verdict == "converged" and run.status == 1 and not run.stopped
        assert run["rod.angle"][-1] == pytest.approx(-1, abs=1e-9)
        assert run.events[-1].name == "event `low`" and run.events[-1].t == run.t_last
        assert run.events[-1].after == "the end" and "event `low` ended the run" in run.message
        # it is a part as others are
        assert model.parts["low"].section == "event" and lw.parse(model.to_toml()).parts["low"].kind == "stop"
    with pytest.raises(lw.ModelError, match="when"):
        swing("0").event.stop("low")
    with pytest.raises(lw.ModelError, match="no control"):
        model = swing("0")
        model.add_event("on", "set", when="t > 1", input="nothing", value=1)
        lw.simulate(model, t_end=2)


def test_what_an_event_raises_ends_the_run():
    def broken(angle):
        if angle < -0.5:
            raise ZeroDivisionError("by hand")
        return -1.0

    model = swing("0")
    model.event.stop("low", when=lw.Law(broken, "rod.angle"))
    with pytest.raises(ZeroDivisionError, match="by hand") as caught:
        lw.simulate(model, t_end=2)
    assert 0 < caught.value.run.t_last < 0.4
    model = swing("0")
    model.event.stop("low", when=lw.Law(lambda angle: math.nan if angle < -0.5 else -1.0, "rod.angle"))
    with pytest.raises(ValueError, match="event `low` watches gave nan"):
        lw.simulate(model, t_end=2)


def test_equations_with_events():
    """A ball that bounces: every hit is 0.9 times as fast, so the times are known."""

    def floor(t, q, v):
        return q[0]

    def fall(t, q, v, a, lam):
        return a[0] + 9.81

    floor.direction = -1
    floor.jump = lambda t, q, v: [-0.9 * v[0]]
    for method in ("bdf", "dop853", "gen-alpha"):
        run = lw.solve_dae(fall, (0, 2), [1], [0], events=floor, rtol=1e-8, method=method).require()
        first = math.sqrt(2 / 9.81)
        wanted = [first, first * (1 + 2 * 0.9), first * (1 + 2 * 0.9 + 2 * 0.81)]
        hits = [event.t for event in run.events if event.name == "event `floor`"]
        assert hits == pytest.approx([t for t in wanted if t < 2], abs=1e-6)

    def top(t, q, v):
        return v[0]

    top.terminal = True
    run = lw.solve_dae(fall, (0, 9), [0], [5], events=[top])
    assert run.success and run.status == 1 and run.t_last == pytest.approx(5 / 9.81, abs=1e-6)
    for wrong, error in ((lambda t, q, v: {}["x"], KeyError), (lambda t, q, v: [1.0, 2.0], TypeError), (lambda t: 1.0, TypeError), (lambda t, q, v: math.nan, ValueError)):
        with pytest.raises(error):
            lw.solve_dae(fall, (0, 1), [0], [5], events=wrong)
    with pytest.raises(TypeError, match="event 2 is no function"):
        lw.solve_dae(fall, (0, 1), [0], [5], events=[top, 3])
