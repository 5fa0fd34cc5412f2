"""Only decisions about pairs as they stand now get in; each fault names its row."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from isogloss.errors import ItemError
from isogloss.review.accept import accept, item_sets
from isogloss.review.filled import Filled, FilledRow
from isogloss.review.pairs import ReviewPair
from isogloss.review.workbook import shown_texts

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def row_of(pair: ReviewPair, number: int) -> FilledRow:
    key = pair.key
    return FilledRow(
        f"row {number}", key.item_set, key.item_id, key.contrast, pair.sha256, "accept", "", False,
        texts=shown_texts(pair),
    )  # fmt: skip


@pytest.fixture
def filled(pairs: tuple[ReviewPair, ...]) -> Filled:
    rows = tuple(row_of(pair, number) for number, pair in enumerate(pairs, start=2))
    return Filled(Path("f.xlsx"), "ef" * 32, "", rows)


def with_first(filled: Filled, **changes: object) -> Filled:
    return replace(filled, rows=(replace(filled.rows[0], **changes), *filled.rows[1:]))


def test_decisions_name_pair_texts_reviewer_time_and_file(
    filled: Filled, pairs: tuple[ReviewPair, ...]
) -> None:
    filled = with_first(filled, verdict=" Reject ", comment=" a\r\nb ", blind=True)
    accepted = accept(filled, pairs, "Ana", NOW, None)
    assert (len(accepted.decisions), accepted.undecided) == (6, 0)
    first = accepted.decisions[0]
    assert vars(first) == {
        "item_set": "colours/set",
        "item_id": "007",
        "contrast": "hedged - plain",
        "text_sha256": pairs[0].sha256,
        "verdict": "reject",
        "comment": "a\nb",
        "reviewer": "Ana",
        "decided_at": "2026-03-01T12:00:00Z",
        "blind": True,
        "source_sha256": "ef" * 32,
    }


def test_rows_without_a_verdict_are_counted(filled: Filled, pairs: tuple[ReviewPair, ...]) -> None:
    accepted = accept(with_first(filled, verdict=" "), pairs, "Ana", NOW, None)
    assert (len(accepted.decisions), accepted.undecided) == (5, 1)


def test_a_date_given_is_the_time_of_a_spreadsheet(
    filled: Filled, pairs: tuple[ReviewPair, ...]
) -> None:
    given = accept(filled, pairs, "Ana", NOW, datetime(2026, 2, 1))
    assert given.decisions[0].decided_at == "2026-02-01T00:00:00Z"


def test_the_page_s_own_time_is_kept_in_utc(filled: Filled, pairs: tuple[ReviewPair, ...]) -> None:
    timed = with_first(filled, decided_at="2026-02-03T10:00:00.123+02:00")
    assert accept(timed, pairs, "Ana", NOW, None).decisions[0].decided_at == "2026-02-03T08:00:00Z"


def test_an_id_that_a_spreadsheet_made_a_number_of_is_known(
    filled: Filled, pairs: tuple[ReviewPair, ...]
) -> None:
    accepted = accept(with_first(filled, item_id="7"), pairs, "Ana", NOW, None)
    assert accepted.decisions[0].item_id == "007"


def test_blanks_that_a_program_changed_are_no_edit(
    filled: Filled, pairs: tuple[ReviewPair, ...]
) -> None:
    texts = {name: f" {text.replace(' ', '  ')}" for name, text in filled.rows[0].texts.items()}
    assert len(accept(with_first(filled, texts=texts), pairs, "Ana", NOW, None).decisions) == 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"verdict": "yes"}, "row 2: verdict is 'yes'; it must be one of accept, reject, unsure"),
        ({"verdict": "#NAME?"}, "row 2: verdict is '#NAME\\?'"),
        ({"verdict": "", "comment": "hm"}, "row 2: a comment and no verdict"),
        ({"comment": "x" * 2001}, "row 2: the comment has 2001 characters"),
        ({"text_sha256": "00" * 32}, "item '007' of 'colours/set', 'hedged - plain' was changed"),
        ({"text_sha256": "00" * 32, "item_id": "x"}, "there is no pair item 'x'"),
        ({"text_sha256": "", "item_set": "a/b"}, "there is no pair item '007' of 'a/b'"),
        ({"item_id": "i9"}, "row 2: its hash is that of colours/set, item 007"),
        ({"contrast": "plain - hedged"}, "row 2: its hash is that of"),
        ({"texts": {"guise_text": "I thought so."}}, "guise_text of item 007 was edited"),
        ({"decided_at": "soon"}, "row 2: decided_at is 'soon'"),
        ({"decided_at": "2026-03-09T12:00:00Z"}, "row 2: decided at 2026-03-09.* lies ahead"),
    ],
)
def test_a_fault_names_its_row(
    filled: Filled, pairs: tuple[ReviewPair, ...], change: dict[str, object], said: str
) -> None:
    with pytest.raises(ItemError, match=said):
        accept(with_first(filled, **change), pairs, "Ana", NOW, None)


def test_a_pair_decided_twice_is_refused(filled: Filled, pairs: tuple[ReviewPair, ...]) -> None:
    again = replace(filled, rows=(*filled.rows, replace(filled.rows[1], place="row 9")))
    with pytest.raises(ItemError, match="row 9: item i2, hedged - plain is decided in row 3"):
        accept(again, pairs, "Ana", NOW, None)


def test_a_changed_text_is_refused(filled: Filled, pairs: tuple[ReviewPair, ...]) -> None:
    changed = (replace(pairs[0], guise_text="Something else."), *pairs[1:])
    with pytest.raises(
        ItemError, match=r"row 2: item '007'.* was changed since; export and review"
    ):
        accept(filled, changed, "Ana", NOW, None)


def test_another_reviewer_s_file_is_refused(filled: Filled, pairs: tuple[ReviewPair, ...]) -> None:
    with pytest.raises(ItemError, match="the file is that of 'Ben'"):
        accept(replace(filled, reviewer="Ben"), pairs, "Ana", NOW, None)
    assert accept(replace(filled, reviewer=" ana "), pairs, "Ana", NOW, None).decisions


def test_a_date_beside_the_file_s_own_times_is_refused(
    filled: Filled, pairs: tuple[ReviewPair, ...]
) -> None:
    timed = with_first(filled, decided_at="2026-02-03T10:00:00Z")
    with pytest.raises(ItemError, match="leave --date out"):
        accept(timed, pairs, "Ana", NOW, NOW)


@pytest.mark.parametrize("name", ["", "set", "../set", "a/..", "a/b/c", "a\\b/c", "/etc"])
def test_a_set_s_name_leads_nowhere_else(filled: Filled, name: str) -> None:
    with pytest.raises(ItemError, match="row 2: item_set is"):
        item_sets(with_first(filled, item_set=name))


def test_the_sets_of_a_file_are_listed_once(filled: Filled) -> None:
    assert item_sets(with_first(filled, item_set="a/b")) == ("a/b", "colours/set")
