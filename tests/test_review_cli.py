"""`isogloss review`: what it writes, records and says, and how it ends."""

import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from tests.command_line import Call, Said, command_line

from isogloss.review.decisions import read_decisions

ITEMS = "data/items/colours/set"
CONTRAST = "hedged - plain"
SHEET = "review"


@pytest.fixture
def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Call]:
    """Call `isogloss review` in a folder with one item set."""
    monkeypatch.chdir(tmp_path)
    made(Path(ITEMS))
    with command_line(monkeypatch, capsys, "review") as called:
        yield called


def made(folder: Path, size: int = 4) -> None:
    """Write an item set whose last pair failed."""
    folder.mkdir(parents=True)
    ids = [f"i{number}" for number in range(1, size + 1)]
    passed = [*[True] * (size - 1), False]
    pair = pd.DataFrame({"item_id": ids, "contrast": CONTRAST})
    items = {"question": "Why?", "plain": [f"{i} is." for i in ids]}
    items["hedged"] = [f"{i} may be." for i in ids]
    pd.DataFrame({"item_id": ids, **items}).to_csv(folder / "items.csv", index=False)
    pair.assign(valid=passed, reason="").to_csv(folder / "verdicts.csv", index=False)
    found = {"check": "similarity", "value": 0.9, "threshold": ">= 0.7", "passed": passed}
    checks = pair.assign(**found, reason="", repaired=False)
    checks.to_csv(folder / "checks.csv", index=False)


def filled(path: str, verdicts: dict[str, str]) -> str:
    """Fill in a spreadsheet by item."""
    book = openpyxl.load_workbook(path)
    sheet = book[SHEET]
    head = [cell.value for cell in sheet[1]]
    for row in sheet.iter_rows(min_row=2):
        item = row[head.index("item_id")].value
        row[head.index("verdict")].value = verdicts.get(item)
    book.save(path)
    return path


def exported(call: Call, name: str, **verdicts: str) -> str:
    assert call("export", ITEMS, "--out", name, "--reviewer", name).status == 0
    return filled(f"{name}/review.xlsx", verdicts)


def mistake(said: Said, status: int) -> str:
    """Check that a call ended in one sentence and return the sentence."""
    assert (said.status, said.out) == (status, "")
    [line] = said.err.splitlines()
    assert line.startswith("error: ")
    return line


def test_export_writes_both_files_and_says_where(call: Call) -> None:
    said = call("export", ITEMS, "--out", "out")
    assert said == Said(0, "out/review.xlsx\nout/review.html\n", "")
    sheet = openpyxl.load_workbook("out/review.xlsx")[SHEET]
    assert sheet.max_row == 5
    assert "Pair 4 of 4" in Path("out/review.html").read_text()


def test_export_takes_a_sample_and_a_contrast(call: Call) -> None:
    call("export", f"{ITEMS}/items.csv", "--out", "out", "--sample", 2, "--contrast", CONTRAST)
    assert openpyxl.load_workbook("out/review.xlsx")[SHEET].max_row == 3


def test_export_shows_the_note_and_the_guise_that_are_declared(call: Call) -> None:
    Path("data/stimuli/colours").mkdir(parents=True)
    Path("data/stimuli/colours/set.yaml").write_text(
        "title: Colours\nfile: f.csv\ncontent_note: Rude words.\n"
        "compare:\n- {guise: hedged, reference: plain}\n"
    )
    call("export", ITEMS, "--out", "out", "--content-note", "Be warned.")
    html = Path("out/review.html").read_text()
    assert '<p dir="auto">Be warned.\nRude words.</p>' in html


def test_a_filled_in_file_is_never_written_over(call: Call) -> None:
    path = exported(call, "Ana", i1="accept")
    before = Path(path).read_bytes()
    said = call("export", ITEMS, "--out", "Ana")
    assert "Ana/review.xlsx exists and may hold decisions" in mistake(said, 2)
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["data/items/none"], 2, "data/items/none: no such folder of items"),
        ([ITEMS, "--sample", 9], 2, "a sample of 9 from 4 pairs"),
        ([ITEMS, "--contrast", "x - y"], 2, "no contrast 'x - y'; there are: hedged - plain"),
        ([ITEMS, ITEMS], 1, "two pairs of that name"),
        ([ITEMS, "--reviewer", "x" * 81], 2, "the reviewer's name must be 1 to 80"),
        ([ITEMS, "--guises", "nowhere"], 2, "nowhere: no such folder"),
        ([ITEMS, "--sets", "nowhere"], 2, "nowhere: no such folder"),
    ],
)
def test_export_with_a_mistake(call: Call, arguments: list[object], status: int, said: str) -> None:
    assert said in mistake(call("export", *arguments, "--out", "out"), status)
    assert not Path("out").exists()


def test_two_reviewers_are_imported_and_compared(call: Call) -> None:
    ana = exported(call, "Ana", i1="accept", i2="accept", i3="reject", i4="accept")
    ben = exported(call, "Ben", i1="accept", i2="reject", i3="reject")
    said = call("import", ana, "--reviewer", "Ana", "--date", "2026-01-02")
    assert said.out == ("Ana: 4 decisions added, 0 already there, 0 pairs without a verdict\n")
    said = call("import", ben, "--reviewer", " Ben ")
    # 2 of 3 agree; chance is 2/3 * 1/3 + 1/3 * 2/3 = 4/9; kappa is (6 - 4) / (9 - 4).
    first, *compared, last = said.out.splitlines()
    assert first == "Ben: 3 decisions added, 0 already there, 1 pair without a verdict"
    for line, scale in zip(compared, ("verdict", "accept"), strict=True):
        assert line.startswith(
            f"Ana and Ben, {scale}: n 3, agreement 0.667 (by chance 0.444), kappa 0.400, 95 % "
        )
    assert last == "  colours/set, item i2, hedged - plain: Ana accept; Ben reject"
    kept = read_decisions(Path("data/reviews/colours/set.csv"))
    assert kept[0].decided_at == "2026-01-02T00:00:00Z"
    assert [d.reviewer for d in kept] == ["Ana"] * 4 + ["Ben"] * 3
    assert call("show").out.splitlines() == [*compared, last]


def test_a_file_imported_again_adds_nothing(call: Call) -> None:
    ana = exported(call, "Ana", i1="accept")
    call("import", ana, "--reviewer", "Ana", "--decisions", "d.csv")
    before = Path("d.csv").read_bytes()
    said = call("import", ana, "--reviewer", "Ana", "--decisions", "d.csv")
    assert said.out.startswith("Ana: 0 decisions added, 1 already there, 3 pairs without")
    assert Path("d.csv").read_bytes() == before


def test_each_set_has_a_record_of_its_own(call: Call) -> None:
    made(Path("data/items/colours/other"))
    call("export", ITEMS, "data/items/colours/other", "--out", "Ana")
    path = filled("Ana/review.xlsx", {"i1": "accept", "i2": "reject"})
    assert call("import", path, "--reviewer", "Ana").out.startswith("Ana: 4 decisions added")
    for name in ("set", "other"):
        kept = read_decisions(Path(f"data/reviews/colours/{name}.csv"))
        assert [(d.item_set, d.verdict) for d in kept] == [
            (f"colours/{name}", "accept"),
            (f"colours/{name}", "reject"),
        ]
    assert call("show") == Said(0, "", "")


def test_the_items_may_lie_elsewhere(call: Call, tmp_path: Path) -> None:
    ana = exported(call, "Ana", i1="accept")
    (tmp_path / "elsewhere").mkdir()
    Path("data/items/colours").rename("elsewhere/colours")
    said = call("import", ana, "--reviewer", "Ana")
    assert "data/items/colours/set: no such folder of items" in mistake(said, 2)
    said = call("import", ana, "--reviewer", "Ana", "--items", "elsewhere/colours/set")
    assert said.out.startswith("Ana: 1 decision added")


def test_nothing_is_recorded_of_a_file_with_a_fault(call: Call) -> None:
    ana = exported(call, "Ana", i1="accept", i4="maybe")
    said = mistake(call("import", ana, "--reviewer", "Ana"), 1)
    assert "row 5: verdict is 'maybe'; it must be one of accept, reject, unsure" in said
    assert not Path("data/reviews").exists()


def test_a_text_changed_since_is_refused(call: Call) -> None:
    ana = exported(call, "Ana", i2="accept")
    items = Path(ITEMS, "items.csv")
    items.write_text(items.read_text().replace("i2 may", "i2 might"))
    said = mistake(call("import", ana, "--reviewer", "Ana"), 1)
    assert "row 3: item 'i2' of 'colours/set', 'hedged - plain' was changed since" in said


@pytest.mark.parametrize("name", ["", "  "])
def test_a_reviewer_without_a_name_is_refused(call: Call, name: str) -> None:
    ana = exported(call, "Ana", i1="accept")
    said = mistake(call("import", ana, "--reviewer", name), 2)
    assert "the reviewer has no name; give one with --reviewer" in said


def test_a_folder_of_sets_that_is_named_has_to_be_there(call: Call) -> None:
    ana = exported(call, "Ana", i1="accept")
    said = call("import", ana, "--reviewer", "Ana", "--sets", "nowhere")
    assert "nowhere: no such folder" in mistake(said, 2)


def test_the_page_s_download_is_held_to_its_form(call: Call) -> None:
    content = {"format": "isogloss review 1", "export": "", "reviewer": "", "blind": False}
    for decisions, said in [
        ([{"verdict": "accept"}], "decisions.0.item_set: Field required"),
        ("all", "decisions: Input should be a valid tuple"),
    ]:
        Path("d.json").write_text(json.dumps({**content, "decisions": decisions}))
        assert said in mistake(call("import", "d.json", "--reviewer", "Ana"), 1)
    Path("d.json").write_text("[" * 100_000)
    assert "d.json: not JSON" in mistake(call("import", "d.json", "--reviewer", "Ana"), 1)


def test_show_needs_a_record(call: Call) -> None:
    assert "data/reviews: no decisions; import them first" in mistake(call("show"), 2)
    assert "d.csv: no decisions" in mistake(call("show", "--decisions", "d.csv"), 2)


def test_long_lists_of_disagreements_are_cut(call: Call) -> None:
    made(Path("data/items/colours/large"), 25)
    ids = {f"i{n}": "accept" for n in range(1, 26)}
    for name, verdict in (("Ana", "accept"), ("Ben", "reject")):
        call("export", "data/items/colours/large", "--out", name)
        path = filled(f"{name}/review.xlsx", dict.fromkeys(ids, verdict))
        said = call("import", path, "--reviewer", name)
    assert said.out.splitlines()[-1] == "  and 5 more"
    assert len([line for line in said.out.splitlines() if "Ana accept; Ben reject" in line]) == 20
