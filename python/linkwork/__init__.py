"""Simulates mechanisms: rigid bodies, joints and forces, described in text or in Python.

>>> import linkwork as lw
>>> run = lw.simulate("pendulum")
>>> run.verdict
'converged'
"""

from __future__ import annotations

from ._linkwork import __version__
from .analyses import (
    Comparison,
    Equilibrium,
    Findings,
    Modes,
    Problem,
    Study,
    check,
    cosim,
    equilibrium,
    kinematics,
    modes,
    reproduce,
    simulate,
    solve_dae,
    study,
    view,
)
from .errors import ModelError, OptionError, RunError
from .model import Law, Model, Part, load, parse
from .run import Attempt, CoupledRun, Event, Run, Table, open_run
from .sweep import SweepResult, sweep

__all__ = [
    "Attempt",
    "Comparison",
    "CoupledRun",
    "Equilibrium",
    "Event",
    "Findings",
    "Law",
    "Model",
    "ModelError",
    "Modes",
    "OptionError",
    "Part",
    "Problem",
    "Run",
    "RunError",
    "Study",
    "SweepResult",
    "Table",
    "__version__",
    "check",
    "cosim",
    "equilibrium",
    "kinematics",
    "load",
    "modes",
    "open_run",
    "parse",
    "reproduce",
    "simulate",
    "solve_dae",
    "study",
    "sweep",
    "view",
]
