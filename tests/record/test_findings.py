import json

from isogloss.record.findings import Finding, Verification, render, to_json

A, B = "0" * 32, "1" * 32
FINDINGS = (
    Finding("differs", "data/raw/a.txt", A, B, 12, 13, "why"),
    Finding("extra", "data/raw/x", note="no stage wrote it"),
    Finding("stale", "dvc.yaml", note="stage a is not in dvc.lock"),
)


def test_one_line_per_finding_and_a_sum() -> None:
    assert render(Verification(31, 57, 12_345_678, 14, FINDINGS)).splitlines() == [
        f"differs: data/raw/a.txt (recorded {A}, 12 bytes; found {B}, 13 bytes; why)",
        "extra: data/raw/x (no stage wrote it)",
        "stale: dvc.yaml (stage a is not in dvc.lock)",
        "not verified: 1 differs, 1 extra, 1 stale; checked 57 artifacts (12.3 MB) in 31 stages",
    ]


def test_success_is_one_line() -> None:
    assert render(Verification(31, 57, 12_345_678, 14)) == (
        "verified 57 artifacts (12.3 MB) in 31 stages, and the 14 inputs they were made from"
    )


def test_missing_artifacts_come_with_the_remedy() -> None:
    text = render(Verification(1, 1, 1, 0, (Finding("missing", "a", A, None, 1, None),)))
    assert text.endswith("`dvc pull` brings artifacts that are missing")
    assert text.startswith(f"missing: a (recorded {A}, 1 bytes)")


def test_json_holds_everything() -> None:
    document = json.loads(to_json(Verification(31, 57, 12_345_678, 14, FINDINGS)))
    assert document["status"] == "differs"
    assert document["artifacts"] == 57
    assert document["findings"][0]["found_md5"] == B
    assert json.loads(to_json(Verification(1, 1, 1, 1)))["status"] == "verified"
