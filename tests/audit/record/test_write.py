"""A record is written whole, reads back, and shows every byte that was changed."""

import csv
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.audit.conftest import LEXICONS, POSTING

from isogloss.audit.audit import Audit
from isogloss.audit.record.content import content_of, without_paths
from isogloss.audit.record.read import read_record
from isogloss.audit.record.schema import check
from isogloss.audit.record.write import check_out, write_record
from isogloss.errors import RecordError

FILES = {
    "SHA256SUMS",
    "audit.json",
    "audit.schema.json",
    "computations.csv",
    "index.html",
    "posting/original.txt",
    "posting/posting.txt",
    "prompts.jsonl",
    "responses.jsonl",
}


@pytest.fixture(scope="module")
def written(audit: Audit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    (folder / "posting.txt").write_bytes(POSTING.encode())
    write_record(audit, folder / "posting.txt", folder / "out" / "record")
    return folder / "out" / "record"


@pytest.fixture
def record(written: Path, tmp_path: Path) -> Path:
    """A record of one's own to tamper with."""
    return Path(shutil.copytree(written, tmp_path / "out" / "record"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_record_reads_back(record: Path, audit: Audit, posting: Path) -> None:
    found = read_record(record)
    assert {p.relative_to(record).as_posix() for p in record.rglob("*") if p.is_file()} == FILES
    assert found.probes == audit.probes
    assert found.text == audit.document.text
    assert (record / "posting" / "original.txt").read_bytes() == posting.read_bytes()
    assert found.content["document"]["sha256"] == audit.document.sha256


def test_the_folder_appears_alone(written: Path) -> None:
    assert [path.name for path in written.parent.iterdir()] == ["record"]


def test_the_usual_tool_verifies_it(record: Path) -> None:
    tool = shutil.which("sha256sum")
    if tool is None:
        pytest.skip("no sha256sum")
    done = subprocess.run([tool, "-c", "--strict", "SHA256SUMS"], cwd=record, capture_output=True)
    assert done.returncode == 0
    assert done.stdout.count(b": OK") == len(FILES) - 1


@pytest.mark.parametrize("name", sorted(FILES - {"SHA256SUMS"}))
def test_a_changed_byte_is_found(record: Path, name: str) -> None:
    path = record / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(RecordError, match=f"{name}: differs"):
        read_record(record)


def test_a_file_too_few_or_too_many_is_found(record: Path) -> None:
    (record / "more.txt").write_text("x")
    with pytest.raises(RecordError, match=r"more\.txt: not a file of the record"):
        read_record(record)
    (record / "more.txt").unlink()
    (record / "prompts.jsonl").unlink()
    with pytest.raises(RecordError, match=r"prompts\.jsonl: missing"):
        read_record(record)


ZEROS = "0" * 64


@pytest.mark.parametrize(
    "line", ["x", f"{ZEROS}  ../audit.json", f"{ZEROS}  /etc/passwd", f"{ZEROS} audit.json"]
)
def test_a_list_of_hashes_that_leads_elsewhere_is_refused(record: Path, line: str) -> None:
    with (record / "SHA256SUMS").open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(RecordError, match="SHA256SUMS, line 9"):
        read_record(record)


def test_a_folder_that_is_no_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="name the folder that an audit wrote"):
        read_record(tmp_path)


def test_a_folder_with_something_in_it_is_kept(audit: Audit, posting: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(RecordError, match="name a new folder"):
        write_record(audit, posting, out)
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    with pytest.raises(RecordError, match="name a new folder"):
        write_record(audit, posting, out / "mine.txt")
    with pytest.raises(RecordError, match="name another folder"):
        check_out(out / "mine.txt" / "deep" / "record")


def test_an_empty_folder_is_taken(audit: Audit, posting: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_record(audit, posting, tmp_path / "out")
    assert read_record(tmp_path / "out").content["created"] == audit.created


def test_nothing_is_left_when_writing_fails(
    audit: Audit, posting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(RecordError, match="No space left"):
        write_record(audit, posting, tmp_path / "deep" / "out")
    assert list((tmp_path / "deep").iterdir()) == []


def test_a_posting_that_changed_meanwhile_is_refused(
    audit: Audit, posting: Path, tmp_path: Path
) -> None:
    posting.write_text("another")
    with pytest.raises(RecordError, match="changed while it was audited"):
        write_record(audit, posting, tmp_path / "out")


def test_prompts_and_responses_are_all_there(record: Path, audit: Audit) -> None:
    prompts, responses = lines(record / "prompts.jsonl"), lines(record / "responses.jsonl")
    key = ("role", "persona", "background", "prompt_sha256")
    assert [[p[k] for k in key] for p in prompts] == [[r[k] for k in key] for r in responses]
    assert len(prompts) == len(audit.questions) == 2 * 9 * 6
    assert prompts[0]["messages"][1]["content"] == audit.questions[0].messages[1].content
    refused = [r for r in responses if r["outcome"] == "refusal"]
    assert [r["expected"] for r in refused] == [None, None]
    assert all(r["reason"] for r in refused)


def test_the_table_has_a_row_for_each_threshold_and_group(record: Path) -> None:
    rows = list(csv.DictReader((record / "computations.csv").read_text("utf-8").splitlines()))
    # Gender has 2 groups, race 4, both 8, each with the baseline, at 10 thresholds, in 2 roles.
    assert len(rows) == 2 * 10 * (3 + 5 + 9)
    [black] = [
        row
        for row in rows
        if (row["role"], row["grouping"], row["group"], row["threshold"])
        == ("recruiter", "race", "black", "7")
    ]
    # Two personas (female and male) with scores 2 to 7: one of six each.
    assert (black["selected"], black["total"], black["flagged"]) == ("2", "12", "true")
    # The model refuses the weakest background of one: so this group has the highest rate, 6 of 11.
    assert black["reference"] == "asian"
    assert float(black["ratio"]) == pytest.approx(2 / 12 / (6 / 11))
    assert all("nan" not in value for row in rows for value in row.values())


def test_undefined_numbers_have_a_reason(audit: Audit) -> None:
    content = content_of(audit)
    json.dumps(content, allow_nan=False)

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            for key, one in value.items():
                if one is None and key in ("estimate", "ratio", "rate", "p_adjusted"):
                    assert value.get("reason") or value.get(f"{key}_reason"), value
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)

    walk(content["selection"])
    never = [p for g in content["selection"]["groupings"] for p in g["baseline_curve"]]
    assert {p["ratio"] for p in never} == {None}


def test_the_schema_refuses_what_lacks_a_field(audit: Audit) -> None:
    content = content_of(audit)
    check(content, "audit.json")
    for name in ("$schema", "model", "selection", "limits", "comparison"):
        with pytest.raises(RecordError, match=re.escape(f"{name!r} is a required")):
            check({key: one for key, one in content.items() if key != name}, "audit.json")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("document", "name"), "/home/someone/posting.txt"),
        (("settings", "threshold"), 11),
        (("selection", "groupings", 0, "status"), "not_estimable"),
        (("selection", "groupings", 0, "groups", 0, "impact", "flagged"), None),
        (("counts", 0, "mean_expected"), None),
        (("model", "digest"), "unknown"),
        (("comparison",), {}),
    ],
)
def test_the_schema_refuses_what_cannot_be(audit: Audit, path: tuple[Any, ...], value: Any) -> None:
    content = json.loads(json.dumps(content_of(audit)))
    place = content
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(RecordError, match=r"audit\.json: "):
        check(content, "audit.json")


def test_no_folder_of_this_machine_is_in_the_record(record: Path) -> None:
    words = b"".join(path.read_bytes() for path in record.rglob("*") if path.is_file())
    for place in (b"/home/", str(LEXICONS).encode(), str(record.parent).encode()):
        assert place not in words
    content = json.loads((record / "audit.json").read_text(encoding="utf-8"))
    assert content["model"]["origin"] == "local: small-1"


@pytest.mark.parametrize(
    ("origin", "kept"),
    [
        ("~/models/a", "local: a"),
        ("C:\\models\\a", "local: a"),
        ("org/name@main", "org/name@main"),
        ("https://api.example.org/v1", "https://api.example.org/v1"),
    ],
)
def test_paths_of_models_lose_their_folders(origin: str, kept: str) -> None:
    assert without_paths({"origin": origin}) == {"origin": kept}


def test_a_markup_file_is_kept_under_a_name_that_nothing_opens(make_audit, tmp_path: Path) -> None:
    words = "We look for a kind person who likes to work with us in the office every day."
    html = f"<!doctype html><title>Job</title><p>{words} {words}</p><script>x</script>"
    path = tmp_path / "a b.html"
    path.write_text(html)
    write_record(make_audit(html, name="a b.html"), path, tmp_path / "out")
    assert (tmp_path / "out" / "posting" / "original.html.txt").read_text() == html
    read_record(tmp_path / "out")


def test_half_characters_in_a_reply_do_not_break_the_record(
    audit: Audit, posting: Path, tmp_path: Path
) -> None:
    odd = replace(audit.probes[0], text="half \ud83d", reason="odd \udc80")
    write_record(replace(audit, probes=(odd, *audit.probes[1:])), posting, tmp_path / "out")
    assert read_record(tmp_path / "out").probes[0] == odd
