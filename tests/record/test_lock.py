import json
from pathlib import Path

import pytest

from isogloss.errors import RecordError
from isogloss.record.hashing import hash_bytes
from isogloss.record.lock import directory_listing, read_lock
from isogloss.record.strays import artifact_folders

A, B = "0" * 32, "1" * 32

LOCK = f"""\
schema: '2.0'
stages:
  fetch:
    cmd: a
    deps:
    - {{path: source, hash: md5, md5: '{A}', size: 1}}
    outs:
    - {{path: data/raw/x/f.csv, hash: md5, md5: '{A}', size: 2, isexec: true}}
    - {{path: data/top.csv, hash: md5, md5: '{A}', size: 2}}
  site:
    cmd: b
    deps:
    - {{path: source, hash: md5, md5: '{A}', size: 1}}
    - {{path: data/raw/x/f.csv, hash: md5, md5: '{A}', size: 2}}
    outs:
    - {{path: reports/_site, hash: md5, md5: '{B}.dir', size: 9, nfiles: 4}}
  post:
    cmd: c
    deps:
    - {{path: reports/_site/index.html, hash: md5, md5: '{A}', size: 1}}
"""


def _write(folder: Path, text: str) -> Path:
    (folder / "dvc.lock").write_text(text)
    return folder / "dvc.lock"


def test_artifacts_and_inputs(tmp_path: Path) -> None:
    lock = read_lock(_write(tmp_path, LOCK))
    assert [out.path for out in lock.artifacts] == [
        "data/raw/x/f.csv",
        "data/top.csv",
        "reports/_site",
    ]
    assert [(out.is_directory, out.nfiles) for out in lock.artifacts[1:]] == [(False, 1), (True, 4)]
    assert [dep.path for dep in lock.inputs] == ["source"]
    assert artifact_folders(lock) == ("data/raw", "reports/_site")


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("schema: '2.0'", "schema: '3.0'", "schema"),
        ("hash: md5", "hash: md5-dos2unix", "stages.fetch.deps.0.hash"),
        (A, "abc", "stages.fetch.deps.0.md5"),
        ("size: 9", "size: nine", "stages.site.outs.0.size"),
        (", nfiles: 4", "", "stages.site.outs.0"),
        (LOCK[LOCK.index("stages") :], "stages: {}", "stages"),
    ],
)
def test_other_forms_are_named(tmp_path: Path, old: str, new: str, place: str) -> None:
    with pytest.raises(RecordError, match=f"dvc.lock: {place}: "):
        read_lock(_write(tmp_path, LOCK.replace(old, new)))


def test_list_of_a_directory_is_found_by_its_hash(tmp_path: Path) -> None:
    content = json.dumps([{"md5": A, "relpath": "x/y.html"}]).encode()
    md5 = hash_bytes(content) + ".dir"
    path = tmp_path / "files/md5" / md5[:2] / md5[2:]
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert directory_listing(md5, tmp_path) == {"x/y.html": A}
    assert directory_listing(f"{B}.dir", tmp_path) is None
    path.write_bytes(content.replace(b"x/y", b"x/z"))
    assert directory_listing(md5, tmp_path) is None
