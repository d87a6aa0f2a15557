"""Stubs say what the registries say."""

import stubs
from linkwork.elements import SECTIONS, identifier, kinds

import linkwork as lw


def test_stubs_are_as_the_registries():
    assert stubs.PAGE.read_text() == stubs.page(), "stale: run `python python/tests/stubs.py`"


def test_every_kind_is_a_method_with_its_keywords():
    import inspect

    model = lw.Model("m")
    for section in SECTIONS:
        for kind, entry in kinds(section).items():
            method = getattr(getattr(model, section), identifier(kind))
            names = list(inspect.signature(method).parameters)
            assert names == ["name", *(identifier(key["name"]) for key in entry["keys"])]
            assert entry["summary"].split(".")[0] in method.__doc__


def test_options_are_keywords():
    import inspect

    names = inspect.signature(lw.simulate).parameters
    assert {"t_end", "method", "rtol", "atol", "max_step", "formulation", "coordinates", "t_eval"} <= set(names)
