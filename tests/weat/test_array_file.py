"""Arrays with their words beside them, and files of packages."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from isogloss.errors import ModelError
from isogloss.weat.array_file import package_file, read_array_vectors

ARRAY = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)


def written(folder: Path, array: object, words: str) -> tuple[Path, Path]:
    np.save(folder / "v.npy", array, allow_pickle=True)  # type: ignore[arg-type]
    (folder / "words.txt").write_text(words, encoding="utf-8")
    return folder / "v.npy", folder / "words.txt"


def test_words_by_line_and_by_parquet_read_alike(tmp_path: Path) -> None:
    array, words = written(tmp_path, ARRAY, "cat\ndog\n")
    pq.write_table(pa.table({"index": ["cat", "dog"]}), tmp_path / "words.parquet")
    for place in (words, tmp_path / "words.parquet"):
        index, vectors = read_array_vectors(array, place)
        assert index == {"cat": 0, "dog": 1}
        assert vectors.tolist() == ARRAY.tolist()


@pytest.mark.parametrize(
    ("array", "words", "message"),
    [
        (ARRAY, "cat\n", "has 1 words and .* 2 vectors"),
        (ARRAY, "cat\ncat\n", "line 2: 'cat' stands twice"),
        (ARRAY[0], "cat\ndog\n", "not an array of floats of shape"),
        (ARRAY.astype(int), "cat\ndog\n", "not an array of floats of shape"),
        (np.array([{}], dtype=object), "cat\n", r"v\.npy: not an \.npy file of numbers"),
    ],
)
def test_what_does_not_fit_is_named(
    tmp_path: Path, array: object, words: str, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        read_array_vectors(*written(tmp_path, array, words))


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    array, words = written(tmp_path, ARRAY, "cat\ndog\n")
    with pytest.raises(ModelError, match=r"gone\.txt: the words cannot be read"):
        read_array_vectors(array, tmp_path / "gone.txt")
    (tmp_path / "w.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(ModelError, match=r"w\.parquet: the words cannot be read as Parquet"):
        read_array_vectors(array, tmp_path / "w.parquet")
    array.write_bytes(b"cut")
    with pytest.raises(ModelError, match=r"v\.npy: not an \.npy file"):
        read_array_vectors(array, words)


def test_packages_are_found_and_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "some_vectors"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError", encoding="utf-8")
    (folder / "v.npy").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert package_file("some-vectors", "v.npy") == folder / "v.npy"
    with pytest.raises(ModelError, match=r"some-vectors has no file w\.npy"):
        package_file("some-vectors", "w.npy")
    with pytest.raises(ModelError, match=r"no-such-vectors is not installed; run pip install"):
        package_file("no-such-vectors", "v.npy")
