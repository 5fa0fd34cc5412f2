from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.dvcfile import read_dvcfile, render_dvcfile
from isogloss.record.stages import Stage

STAGES = (
    Stage("fetch", "curl \"a: b\" # '${HOME}' \\\\", (), ("data/raw/é x.txt", "yes")),
    Stage("score-1e3", "one\n  two\n\nthree: ${X}", ("no", "data/raw/é x.txt"), ("1e3",)),
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    text = render_dvcfile(STAGES, uncached={"yes"}, options=["--config", "file=a b.yaml"])
    (tmp_path / "dvc.yaml").write_text(text, encoding="utf-8")
    back = read_dvcfile(tmp_path / "dvc.yaml")
    assert [(s.name, s.command, set(s.deps), s.outs) for s in back] == [
        (s.name, s.command, set(s.deps), s.outs) for s in STAGES
    ]


def test_header_names_the_run_and_text_is_reproducible() -> None:
    text = render_dvcfile(STAGES, options=["--config", "file=a b.yaml"])
    assert "`snakemake --config 'file=a b.yaml'`" in text.splitlines()[0]
    assert "`snakemake`" in render_dvcfile(STAGES).splitlines()[0]
    assert text == render_dvcfile(STAGES, options=["--config", "file=a b.yaml"])


def test_variables_of_the_shell_are_not_variables_of_dvc() -> None:
    text = render_dvcfile([Stage("fetch", "echo ${HOME}", (), ("out",))])
    assert r"cmd: echo \${HOME}" in text


def test_outputs_in_git_are_not_cached() -> None:
    lines = render_dvcfile(STAGES, uncached={"yes"}).splitlines()
    assert "    - yes:" in lines
    assert lines.count("        cache: false") == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("stages: [", "cannot be read"),
        ("", "the whole file"),
        ("stages:\n  a:\n    cmd: [1]\n", "stages.a.cmd"),
        ("stages:\n  a:\n    cmd: x\n    outs: [{a: {}, b: {}}]\n", "stages.a.outs.0"),
    ],
)
def test_other_forms_are_named(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "dvc.yaml").write_text(text)
    with pytest.raises(RecordError, match=f"dvc.yaml.*{reason}"):
        read_dvcfile(tmp_path / "dvc.yaml")
