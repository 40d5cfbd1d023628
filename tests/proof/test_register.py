"""Every rule, case and figure that the product promises has a test that bears its number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PLACES = ("tests", "games/rules")
CASES = (1, 3, 25, 27, 29, 31, 33, 35, 37, 39, 41, 67, 69, 73, 75, 77, 83)
FIGURES = ("m1", "m2", "m3", "m4", "m5", "m8", "w1", "w3", "w4", "h1", "h2", "h4", "t1", "t2")
PROMISED = [
    *(f"syl_{number:02}" for number in range(1, 29)),
    *(f"case_{number:02}" for number in CASES),
    *FIGURES,
]


def names_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name


def numbers_in(name: str) -> Iterator[str]:
    """``test_syl_10_11_…`` and ``test_h1_h2_…`` prove more than one."""
    for kind, numbers in re.findall(r"_(syl|case)s?((?:_(?:and_)?\d+)+)(?=_|$)", f"_{name.removeprefix('test_')}"):
        yield from (f"{kind}_{int(number):02}" for number in re.findall(r"\d+", numbers))
    yield from re.findall(r"(?<=_)([mwhtklqn]\d{1,2})(?=_|$)", f"_{name.removeprefix('test_')}")


@pytest.fixture(scope="module")
def proved() -> frozenset[str]:
    files = [path for place in PLACES for path in (ROOT / place).rglob("test_*.py")]
    return frozenset(number for path in files for name in names_in(path) for number in numbers_in(name))


@pytest.mark.parametrize("promise", PROMISED)
def test_each_promise_has_a_test_of_its_number(promise: str, proved: frozenset[str]) -> None:
    assert promise in proved


def test_names_are_read_as_they_are_written() -> None:
    assert set(numbers_in("test_syl_10_11_ties_earn_each")) == {"syl_10", "syl_11"}
    assert set(numbers_in("test_syl_22_and_24_cards")) == {"syl_22", "syl_24"}
    assert set(numbers_in("test_cases_75_and_77_names")) == {"case_75", "case_77"}
    assert set(numbers_in("test_case_03_ligatures")) == {"case_03"}
    assert set(numbers_in("test_h1_h2_no_card_leaks")) == {"h1", "h2"}
    assert set(numbers_in("test_case_1_composed_forms_meet")) == {"case_01"}
    assert not set(numbers_in("test_a_sentence_of_8_words"))
