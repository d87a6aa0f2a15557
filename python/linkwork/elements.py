"""Methods that add parts to a model: one for every kind of the registries.

They are made when the package is imported, from the same registries that model text is read with;
``elements.pyi`` tells type checkers the same.
"""

from __future__ import annotations

import inspect
import json
import keyword
import textwrap
from typing import Any

from ._linkwork import registry as _registry

#: Everything that can be named: kinds of parts with their keys, options, models, problems.
REGISTRY: dict[str, Any] = json.loads(_registry())

SECTIONS = ("body", "joint", "force", "sensor", "control", "event", "shape")


def identifier(word: str) -> str:
    """A word of model text as a name in Python."""
    name = word.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def word(name: str) -> str:
    """The word of model text that a keyword stands for."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def kinds(section: str) -> dict[str, dict[str, Any]]:
    """The kinds of a section by name; bodies have names of their own in planar models."""
    found: dict[str, dict[str, Any]] = {}
    for entry in REGISTRY["kinds"][section]:
        for name in (entry["kind"], entry["planar"]):
            if name is None:
                continue
            known = found.setdefault(name, {"kind": name, "summary": entry["summary"], "keys": []})
            if known["summary"] != entry["summary"]:
                known["summary"] += " In the plane: " + entry["summary"]
            have = {key["name"] for key in known["keys"]}
            known["keys"] += [_with_marker(key, entry) for key in entry["keys"] if key["name"] not in have]
    return found


def _with_marker(key: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """A body that must be named may be named by a marker."""
    marker = key["name"].replace("body", "marker")
    takes = key["name"].startswith("body") and any(other["name"] == marker for other in entry["keys"])
    return {**key, "default": f"this or `{marker}`"} if takes and key["default"] is None else key


def describe_key(key: dict[str, Any]) -> str:
    """One line of documentation."""
    unit = f" [{key['unit']}]" if key["unit"] else ""
    default = key["default"]
    default = "required" if default is None else f"default: {default}"
    return f"{identifier(key['name'])}{unit}: {key['doc']} ({default})"


def documentation(entry: dict[str, Any]) -> str:
    """What a method says of itself."""
    lines = [entry["summary"], "", "Keywords:"]
    for key in entry["keys"]:
        lines += textwrap.wrap(describe_key(key), 96, initial_indent="    ", subsequent_indent="        ")
    return "\n".join(lines)


class Section:
    """The kinds of one section as methods: ``model.joint.revolute("hinge", body_b="rod")``."""

    _section = ""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __call__(self, name: str, kind: str | None = None, **keys: Any) -> str:
        """Adds a part of any kind; returns its name."""
        return self._model._put(self._section, name, kind, keys)

    def __repr__(self) -> str:
        mine = [part for part in self._model.parts.values() if part.section == self._section]
        names = ", ".join(part.name for part in mine) or "none"
        return f"<{self._section} parts of {self._model.name!r}: {names}>"


def _method(section: str, kind: str, entry: dict[str, Any]) -> Any:
    def add(self: Section, name: str, **keys: Any) -> str:
        return self._model._put(section, name, kind, keys)

    add.__name__ = identifier(kind)
    add.__qualname__ = f"{section.capitalize()}Kinds.{add.__name__}"
    add.__doc__ = documentation(entry)
    parameter = inspect.Parameter
    parameters = [
        parameter("self", parameter.POSITIONAL_OR_KEYWORD),
        parameter("name", parameter.POSITIONAL_OR_KEYWORD),
    ]
    for key in entry["keys"]:
        default = parameter.empty if key["default"] is None else None
        parameters.append(parameter(identifier(key["name"]), parameter.KEYWORD_ONLY, default=default))
    add.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return add


def _kinds_class(section: str) -> type:
    methods = {identifier(kind): _method(section, kind, entry) for kind, entry in kinds(section).items()}
    body = {"_section": section, "__doc__": f"Adds {'an' if section == 'event' else 'a'} {section} to a model, one method for each kind."}
    return type(f"{section.capitalize()}Kinds", (Section,), {**methods, **body})


BodyKinds = _kinds_class("body")
JointKinds = _kinds_class("joint")
ForceKinds = _kinds_class("force")
SensorKinds = _kinds_class("sensor")
ControlKinds = _kinds_class("control")
EventKinds = _kinds_class("event")
ShapeKinds = _kinds_class("shape")
