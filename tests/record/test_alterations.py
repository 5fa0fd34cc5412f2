"""Whatever is altered in a recorded project is found and named, link by link of the chain."""

import hashlib
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.record.conftest import Project

from isogloss.record.chain import Chain, default_checks, verify_chain

CSV = "data/results/toy/effects.csv"
PARQUET = "data/responses/toy/own/toy.parquet"
JSON = "data/results/toy/plan.json"
SVG = "reports/_generated/one.svg"
PAGE = "reports/_site/index.html"
RAW = "data/raw/ratings/ratings.csv"


def check(project: Project, *left_out: str) -> Chain:
    return verify_chain(project.folder, default_checks(), left_out)


def flip(name: str) -> Callable[[Project], None]:
    def alter(project: Project) -> None:
        content = bytearray(project.path(name).read_bytes())
        content[len(content) // 2] ^= 1
        project.path(name).write_bytes(content)

    return alter


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Callable[[Project], None]:
    def alter(project: Project) -> None:
        path = project.path(name)
        before = path.read_bytes()
        path.write_bytes(change(before))
        assert path.read_bytes() != before

    return alter


def swap(one: str, other: str) -> Callable[[Project], None]:
    def alter(project: Project) -> None:
        first, second = project.path(one).read_bytes(), project.path(other).read_bytes()
        assert first != second
        project.path(one).write_bytes(second)
        project.path(other).write_bytes(first)

    return alter


def a_byte_with_its_time_put_back(project: Project) -> None:
    path = project.path(CSV)
    times = path.stat()
    flip(CSV)(project)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_mtime_ns == times.st_mtime_ns
    assert path.stat().st_size == times.st_size


def a_digit_of_the_page(project: Project) -> None:
    project.edit(PAGE, "0.50", "0.60")


def a_figure_of_the_page(project: Project) -> None:
    shutil.copy(project.path("reports/_site/two.svg"), project.path("reports/_site/one.svg"))


def an_extra_file(project: Project) -> None:
    project.path("data/results/toy/more.csv").write_text("estimate\n1\n")


def a_deleted_artifact(project: Project) -> None:
    project.path(PARQUET).unlink()


def a_link_to_the_same_bytes(project: Project) -> None:
    elsewhere = project.folder.parent / "effects.csv"
    project.path(CSV).rename(elsewhere)
    project.path(CSV).symlink_to(elsewhere)


def an_entry_of_the_lock(project: Project) -> None:
    lock = project.path("dvc.lock").read_text()
    entry = re.search(rf"path: {CSV}\n\s+hash: md5\n\s+md5: (\w+)", lock)
    assert entry is not None
    project.edit("dvc.lock", entry[1], "a" * 32)


def a_file_and_its_entry_in_the_lock(project: Project) -> None:
    """What no hash in dvc.lock tells, because it was changed too."""
    old, content = project.path(JSON).read_bytes(), b'{"alpha": 0.10}\n'
    assert len(old) == len(content)
    md5 = [hashlib.md5(text).hexdigest() for text in (old, content)]
    project.path(JSON).write_bytes(content)
    project.edit("dvc.lock", md5[0], md5[1])


def a_pin_of_a_source(project: Project) -> None:
    pins = project.path("data/sources.yaml").read_text()
    [sha256] = re.findall(r"sha256: (\w+)", pins)
    project.edit("data/sources.yaml", sha256, "f" * 64)


def a_source_without_its_pin(project: Project) -> None:
    project.edit("data/sources.yaml", "ratings:", "other:")


def an_input_in_git(project: Project) -> None:
    project.edit("upstream/ratings.csv", "3.75", "3.85")
    project.git("commit", "--quiet", "--all", "--message", "Edit the input only")


def a_pinned_version(project: Project) -> None:
    text = project.path("constraints.txt").read_text()
    [pin] = re.findall(r"^numpy==.*$", text, flags=re.MULTILINE)
    project.edit("constraints.txt", pin, "numpy==0.0.1")


def a_pin_of_a_package_taken_out(project: Project) -> None:
    text = project.path("constraints.txt").read_text()
    [pin] = re.findall(r"^numpy==.*$", text, flags=re.MULTILINE)
    project.edit("constraints.txt", pin, "")


ALTERATIONS: dict[str, tuple[Callable[[Project], None], str, str, str]] = {
    "bytes of a source": (flip(RAW), "differs", RAW, "first differs in line 2"),
    "a source that is not the pinned one": (flip(RAW), "source", RAW, "pins"),
    "bytes of CSV": (flip(CSV), "differs", CSV, "first differs in line"),
    "bytes of Parquet": (flip(PARQUET), "differs", PARQUET, "first differs at byte"),
    "bytes of JSON": (flip(JSON), "differs", JSON, "first differs in line 1"),
    "bytes of SVG": (flip(SVG), "differs", SVG, "first differs in line 1"),
    "bytes of HTML": (flip(PAGE), "differs", PAGE, ""),
    "a digit in the HTML": (a_digit_of_the_page, "differs", PAGE, "first differs in line 2"),
    "a figure in place of another": (
        a_figure_of_the_page,
        "differs",
        "reports/_site/one.svg",
        "has the bytes recorded for reports/_site/two.svg",
    ),
    "a swapped pair": (
        swap("reports/_generated/two.svg", CSV),
        "differs",
        CSV,
        "has the bytes recorded for reports/",
    ),
    "a version": (a_pinned_version, "version", "numpy", "pip install -c constraints.txt numpy"),
    "a package without a pin": (a_pin_of_a_package_taken_out, "unpinned", "numpy", "needed by"),
    "a model's weights": (
        flip("models/toy/model.safetensors"),
        "model",
        "data/models/toy.json",
        "weights in models/toy",
    ),
    "a model's settings": (
        rewrite("models/toy/config.json", lambda b: b.replace(b"llama", b"gemma")),
        "model",
        "data/models/toy.json",
        "settings in models/toy",
    ),
    "a model's manifest": (
        flip("data/models/toy.json"),
        "differs",
        "data/models/toy.json",
        "first differs in line",
    ),
    "an extra file": (an_extra_file, "extra", "data/results/toy/more.csv", "no stage wrote it"),
    "a CRLF copy": (
        rewrite(CSV, lambda b: b.replace(b"\n", b"\r\n")),
        "differs",
        CSV,
        "only the line endings changed, from LF to CRLF",
    ),
    "a byte order mark": (
        rewrite(CSV, lambda b: b"\xef\xbb\xbf" + b),
        "differs",
        CSV,
        "only the encoding changed, from UTF-8 to UTF-8 with a byte order mark",
    ),
    "UTF-16": (
        rewrite(PAGE, lambda b: b.decode().encode("utf-16")),
        "differs",
        PAGE,
        "only the encoding changed, from UTF-8 to UTF-16",
    ),
    "Latin-1": (
        rewrite(SVG, lambda b: b.decode().encode("latin-1")),
        "differs",
        SVG,
        "only the encoding changed, from UTF-8 to Latin-1",
    ),
    "an entry of dvc.lock": (an_entry_of_the_lock, "differs", CSV, ""),
    "dvc.lock against the commit": (an_entry_of_the_lock, "uncommitted", "dvc.lock", "commit"),
    "a file with its entry in dvc.lock": (
        a_file_and_its_entry_in_the_lock,
        "uncommitted",
        "dvc.lock",
        "git checkout -- dvc.lock",
    ),
    "a stale dvc.yaml": (
        rewrite("dvc.yaml", lambda b: b.replace(b"make.py score", b"make.py  score")),
        "stale",
        "dvc.yaml",
        "stage score: command differs from dvc.lock",
    ),
    "a time put back": (a_byte_with_its_time_put_back, "differs", CSV, "first differs"),
    "a deleted artifact": (a_deleted_artifact, "missing", PARQUET, ""),
    "an empty file": (rewrite(PAGE, lambda _: b""), "differs", PAGE, "the file is empty"),
    "a link in place of a file": (a_link_to_the_same_bytes, "link", CSV, "copy it"),
    "a changed pin": (a_pin_of_a_source, "source", RAW, "not what data/sources.yaml pins"),
    "a pin taken out": (a_source_without_its_pin, "source", RAW, "has no source ratings"),
    "an input in git": (an_input_in_git, "input differs", "upstream/ratings.csv", ""),
}
"""What is altered, how, and the kind, the path and a part of the note of a finding."""


def test_the_untouched_project_is_verified(recorded_chain: Project) -> None:
    chain = check(recorded_chain)
    assert (chain.findings, chain.exit_code) == ((), 0)
    assert len(chain.checked) == 7
    assert all(one.outcome.covered > 0 for one in chain.checked if one.name != "report")


@pytest.mark.parametrize("name", ALTERATIONS)
def test_an_alteration_is_found_and_named(chain: Project, name: str) -> None:
    alter, kind, path, note = ALTERATIONS[name]
    alter(chain)
    found = check(chain, "workflow")
    assert found.exit_code == 1
    notes = [one.note for one in found.findings if (one.kind, one.path) == (kind, path)]
    assert any(note in given for given in notes), found.findings


def test_an_alteration_of_a_rule_is_found_and_named(chain: Project) -> None:
    chain.edit("Snakefile", "make.py parts", "make.py parts --wide")
    rule, code = check(chain).findings
    assert (rule.kind, rule.path) == ("stale", "the workflow")
    assert rule.note == "stage parts: command differs from dvc.lock"
    assert (code.kind, code.path) == ("stale", "Snakefile")


def test_code_that_changed_after_the_run_is_found_and_named(chain: Project) -> None:
    chain.edit("Snakefile", "rule all:", "# Edited.\nrule all:")
    chain.path("workflow").mkdir()
    chain.path("workflow/more.smk").write_text("NAMES = 2\n")
    chain.git("add", ".")
    chain.git("commit", "--quiet", "--message", "Edit the code only")
    found = [(one.kind, one.path) for one in check(chain).findings]
    assert found == [("stale", "Snakefile"), ("stale", "workflow/more.smk")]


def test_nothing_but_the_alteration_is_named(chain: Project) -> None:
    a_byte_with_its_time_put_back(chain)
    assert [(one.kind, one.path) for one in check(chain).findings] == [("differs", CSV)]


def test_a_tokenizer_that_changed_is_found(chain: Project) -> None:
    chain.edit("models/toy/tokenizer.json", '"yes": 1', '"yep": 1')
    found = check(chain, "workflow", "artifacts").findings
    assert [(one.kind, one.path, one.note) for one in found] == [
        ("model", "data/models/toy.json", "tokenizer in models/toy")
    ]


def test_dvc_links_into_its_cache_are_files(chain: Project) -> None:
    chain.dvc("config", "--local", "cache.type", "symlink")
    chain.dvc("checkout", "--relink", "--quiet")
    assert chain.path(CSV).is_symlink()
    assert check(chain, "workflow").status == "verified"


def test_a_link_that_leads_nowhere_is_missing_too(chain: Project) -> None:
    chain.path(CSV).unlink()
    chain.path(CSV).symlink_to(Path("nowhere"))
    found = {(one.kind, one.path) for one in check(chain, "workflow").findings}
    assert found == {("missing", CSV), ("link", CSV)}
