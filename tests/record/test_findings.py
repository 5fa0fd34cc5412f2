from isogloss.record.findings import Finding, Verification, finding_line, render

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
        "not verified: 1 differs, 1 extra, 1 stale; checked 57 artifacts (12.3 MB) in 31 stages, "
        "and the 14 inputs they were made from",
    ]


def test_success_is_one_line() -> None:
    assert render(Verification(31, 57, 12_345_678, 14)) == (
        "verified 57 artifacts (12.3 MB) in 31 stages, and the 14 inputs they were made from"
    )


def test_missing_artifacts_come_with_the_remedy() -> None:
    text = render(Verification(1, 1, 1, 0, (Finding("missing", "a", A, None, 1, None),)))
    assert "not verified: 1 missing; `isogloss restore` brings artifacts that are missing;" in text
    assert text.startswith(f"missing: a (recorded {A}, 1 bytes)")


def test_what_is_no_md5_is_shown_too() -> None:
    finding = Finding("version", "numpy", note="install it", recorded="==2.0", found="1.9")
    assert finding_line(finding) == "version: numpy (recorded ==2.0; found 1.9; install it)"
