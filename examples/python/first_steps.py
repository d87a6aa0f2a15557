"""A pendulum on a spring: made in code, simulated, drawn."""

import matplotlib

matplotlib.use("Agg")

import linkwork as lw

model = lw.Model("swing", gravity=[0, -9.81])
model.add_body("rod", mass="2 kg", inertia="0.17 kg m^2", position=[0.5, 0])
model.joint.revolute("hinge", body_b="rod", at=[0, 0])
model.force.spring_damper(
    "spring", body_b="rod", at_a=[1, 1], at_b=[1, 0], stiffness="60 N/m", damping="2 N s/m"
)

run = lw.simulate(model, t_end=4, rtol=1e-6)
print(run)

# a hinge holds its point: no force of the spring or of gravity opens it
assert run.success
assert abs(run["rod.x"] ** 2 + run["rod.y"] ** 2 - 0.25).max() < 1e-5

axes = run.plot("rod.angle", "hinge.reaction.x", "hinge.reaction.y")
axes[0].figure.savefig("first_steps.png")
