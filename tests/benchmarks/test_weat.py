"""What the benchmark of association tests measures and says."""

from dataclasses import replace

import pytest
from benchmarks.weat import MEASURED, TARGETS, WEFE, Measured, agrees, measure, report, sets

from isogloss.errors import ModelError

FOUND = [
    Measured(1_000, (0.01,), 100.0, 1.0, WEFE.effect_size),
    Measured(MEASURED, (0.1, 0.5, 0.2), 101.0, 1.5, WEFE.effect_size + 5e-7),
]


def test_the_report_holds_the_median_beside_the_recorded_figure() -> None:
    said = report(FOUND)
    assert "100,000 in 0.200 s: within 1 s" in said
    assert f"recorded, not measured here: {WEFE.version}" in said
    assert "2,685 s for 100,000; 13,425 times as long" in said
    assert said.endswith("d is WEFE's")


def test_slow_and_wrong_are_said() -> None:
    slow = replace(FOUND[1], seconds=(1.5,))
    assert "100,000 in 1.500 s: above 1 s" in report([slow])
    wrong = replace(FOUND[1], effect_size=1.28)
    assert not agrees([FOUND[0], wrong])
    assert "WRONG" in report([wrong])


def test_what_is_measured_is_what_wefe_was_given() -> None:
    try:
        vectors = sets()
    except ModelError as error:
        pytest.skip(str(error))
    assert [len(one) for one in vectors] == [TARGETS, TARGETS, 25, 25]
    found = measure(vectors, 500, 2)
    assert agrees([found])
    assert len(found.seconds) == 2
