"""Which commands note what they write, and which ask for the same."""

from pathlib import Path

import pytest

from isogloss.record.own_commands import arguments_of, ask_the_same

PROJECT = Path("/project")
RULE = "isogloss --log logs/a.log analysis hedging --out data/results --config config/config.yaml"


def test_arguments_of_one_call() -> None:
    assert arguments_of("\n isogloss score  'a b' --out x/y-1.csv # \n") == (
        "score",
        "a b",
        "--out",
        "x/y-1.csv",
        "#",
    )


@pytest.mark.parametrize(
    "command",
    [
        "cat a",
        "isogloss-other fetch a",
        "isogloss fetch a && sed -i s/a/b/ a",
        "isogloss fetch a; rm b",
        "isogloss fetch a\nrm b",
        "isogloss fetch a > b",
        "isogloss fetch $(cat a)",
        "isogloss fetch 'a",
        "",
    ],
)
def test_what_does_anything_else_is_no_such_call(command: str) -> None:
    assert arguments_of(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "isogloss analysis hedging --out /elsewhere",
        "isogloss --log other.log analysis --out=data/results/ hedging --quiet",
        "isogloss analysis hedging --out a --config ./config/config.yaml",
        "isogloss analysis hedging --out a --config /project/config/config.yaml",
        "isogloss analysis --config=config/config.yaml hedging --folder a",
    ],
)
def test_place_log_order_and_spelling_make_no_difference(command: str) -> None:
    assert ask_the_same(command, RULE, PROJECT)
    assert ask_the_same(RULE, command, PROJECT)


@pytest.mark.parametrize(
    "command",
    [
        "isogloss glmm hedging --out data/results",
        "isogloss analysis recruitment --out data/results",
        "isogloss analysis hedging --out data/results --config config/paper.yaml",
        "isogloss analysis hedging --out data/results --config /elsewhere/config/config.yaml",
        "isogloss analysis hedging --items 3 --out data/results",
        "isogloss analysis --out data/results",
    ],
)
def test_what_is_asked_for_does(command: str) -> None:
    assert not ask_the_same(command, RULE, PROJECT)


def test_commands_of_others_are_compared_as_they_stand() -> None:
    assert ask_the_same("cat a > b", "cat a > b", PROJECT)
    assert not ask_the_same("cat a > b", "cat b > a", PROJECT)
