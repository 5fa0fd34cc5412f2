"""Which commands note what they write."""

import pytest

from isogloss.record.own_commands import is_own_command


def test_one_call() -> None:
    assert is_own_command("\n isogloss score  'a b' --out x/y-1.csv # \n")


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
    assert not is_own_command(command)
