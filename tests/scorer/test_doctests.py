"""The examples in the scorer's docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import scorer

MODULES = ["scorer", *(module.name for module in pkgutil.walk_packages(scorer.__path__, "scorer."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
