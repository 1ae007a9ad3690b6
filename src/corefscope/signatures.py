"""Signatures with the keyword arguments of ``**arguments`` spelled out, for ``help`` and editors."""

from __future__ import annotations

import inspect
from typing import Any


def spell_out(function: Any) -> None:
    """Give a function that takes ``**arguments: Unpack[X]`` the signature that names the arguments of ``X``.

    They are written once, in ``X``; who calls ``help`` wants to see them all the same.
    """
    signature = inspect.signature(function)
    *parameters, arguments = signature.parameters.values()
    unpacked = arguments.annotation.removeprefix("Unpack[").removesuffix("]")
    named = {parameter.name for parameter in parameters}
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_written(kind))
        for name, kind in function.__globals__[unpacked].__annotations__.items()
        if name not in named
    ]
    function.__signature__ = signature.replace(parameters=parameters)


def _written(kind: Any) -> Any:
    """The annotation of an argument as it is written, where it was not evaluated."""
    return getattr(kind, "__forward_arg__", kind)
