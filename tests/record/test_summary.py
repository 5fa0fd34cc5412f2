import pytest

from isogloss.errors import RecordError
from isogloss.record.summary import OutputState, parse_summary

HEADER = "output_file\tdate\trule\tlog-file(s)\tinput-file(s)\tshellcmd\tstatus\tplan"


def test_table_is_found_and_tabs_in_commands_do_no_harm() -> None:
    text = "\n".join(
        (
            "printed by the Snakefile",
            HEADER,
            "out/a\tMon\tmake\t\tin\techo 'a\tb'; ;   x\tok\tno update",
            "out/b\t-\tmake\t-\t-\t-\tmissing\tupdate pending",
            "",
        )
    )
    states = parse_summary(text)
    assert states == (
        OutputState("out/a", "make", "ok", "no update"),
        OutputState("out/b", "make", "missing", "update pending"),
    )
    assert [state.is_current for state in states] == [True, False]


def test_existing_output_of_a_changed_rule_is_not_current() -> None:
    assert not OutputState("a", "make", "rule implementation changed", "update pending").is_current
    assert not OutputState("a", "make", "ok", "update pending").is_current


def test_other_tables_are_refused() -> None:
    with pytest.raises(RecordError, match="Snakemake 9"):
        parse_summary("output_file\tdate\n")
    with pytest.raises(RecordError, match="3 columns"):
        parse_summary(f"{HEADER}\na\tb\tc\n")
