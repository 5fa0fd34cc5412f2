from pathlib import Path

from filelock import FileLock

from isogloss.record.run_lock import lock_path, run_lock
from isogloss.record.running import is_running


def test_nobody_runs_and_nothing_is_made(tmp_path: Path) -> None:
    assert not is_running(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_run_is_seen_and_left_alone(tmp_path: Path) -> None:
    run_lock(tmp_path)
    assert lock_path(tmp_path).is_file(), "run_lock and is_running have to name the same file"
    assert is_running(tmp_path)
    assert is_running(tmp_path)


def test_a_lock_that_nobody_holds_any_more(tmp_path: Path) -> None:
    path = lock_path(tmp_path)
    path.parent.mkdir()
    with FileLock(path):
        assert is_running(tmp_path)
    assert not is_running(tmp_path)
