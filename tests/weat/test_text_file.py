"""Text files of vectors: both forms, packed or not, and each kind of damage with its line."""

import gzip
from pathlib import Path

import pytest

from isogloss.errors import ModelError
from isogloss.weat.text_file import LONGEST_LINE, read_text_vectors

PLAIN = "cat 0.5 -1\ndog 2 1e-1\n. . 3 4\n"
HEADED = "3 2 \ncat 0.5 -1 \ndog 2 1e-1 \n. . 3 4 \n"


def written(folder: Path, content: str | bytes, name: str = "v.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("content", [PLAIN, HEADED, PLAIN.replace("\n", "\r\n")])
@pytest.mark.parametrize("packed", [False, True])
def test_all_forms_read_alike(tmp_path: Path, content: str, packed: bool) -> None:
    raw = gzip.compress(content.encode()) if packed else content.encode()
    path = written(tmp_path, raw, "v.txt.gz" if packed else "v.txt")
    index, array = read_text_vectors(path)
    assert index == {"cat": 0, "dog": 1, ". .": 2}
    assert array.tolist() == [[0.5, -1], [2, 0.1], [3, 4]]


def test_only_wanted_words_are_kept(tmp_path: Path) -> None:
    index, array = read_text_vectors(written(tmp_path, HEADED), {"dog", "horse"})
    assert (index, array.tolist()) == ({"dog": 0}, [[2, 0.1]])
    index, array = read_text_vectors(written(tmp_path, HEADED), {"horse"})
    assert (index, array.shape) == ({}, (0, 2))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cat 1 2\ndog 1\n", "line 2: 1 numbers behind a word, not 2"),
        ("cat 1 2\ndog\n", "line 2: 0 numbers"),
        ("cat 1 2\n\ndog 1 2\n", "line 2: 0 numbers"),
        ("cat 1 2\ndog 1 2 3\n", "line 2: more than 2 numbers"),
        ("2 2\ncat 1 2\ndog 1 x\n", "line 3: could not convert"),
        ("cat 1 2\ndog 1 nan\n", "line 2: a value is not finite"),
        ("cat 1 2\ncat 1 2\n", "line 2: 'cat' stands twice"),
        ("3 2\ncat 1 2\ndog 1 2\n", "line 1 states 3 words, and there are 2"),
        ("3 0\ncat\n", "line 1 states 0 dimensions"),
        ("cat\n", "line 1: a word and its numbers are expected"),
        ("", "no vectors in the file"),
        ("5 2\n", "no vectors in the file"),
        (b"cat 1 2\n\xff 1 2\n", "line 2: the word is not UTF-8"),
        ("x" * (LONGEST_LINE + 5), "line 1 is longer than"),
    ],
)
def test_damage_is_named_with_file_and_line(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(ModelError, match=message) as raised:
        read_text_vectors(path)
    assert str(raised.value).startswith(f"{path}: ")


def test_the_form_of_unwanted_lines_is_checked(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="line 2: 1 numbers"):
        read_text_vectors(written(tmp_path, "cat 1 2\ndog 1\n"), {"cat"})


@pytest.mark.parametrize(
    "raw", [b"no gzip", gzip.compress(PLAIN.encode())[:-12]], ids=["no gzip", "cut off"]
)
def test_damaged_archives_are_named(tmp_path: Path, raw: bytes) -> None:
    with pytest.raises(ModelError, match=r"v\.gz: the vectors cannot be read"):
        read_text_vectors(written(tmp_path, raw, "v.gz"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="No such file"):
        read_text_vectors(tmp_path / "gone.txt")
