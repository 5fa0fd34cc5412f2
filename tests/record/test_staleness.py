import pytest

from isogloss.record.lock import Lock
from isogloss.record.stages import Stage
from isogloss.record.staleness import stale_stages

LOCK = Lock.model_validate(
    {
        "schema": "2.0",
        "stages": {
            "fetch": {
                "cmd": "get",
                "deps": [{"path": "in", "hash": "md5", "md5": "0" * 32, "size": 1}],
                "outs": [{"path": "out", "hash": "md5", "md5": "1" * 32, "size": 1}],
            }
        },
    }
)


def test_same_stages_are_not_stale() -> None:
    assert stale_stages([Stage("fetch", "get", ("in",), ("out",))], LOCK, source="dvc.yaml") == ()


@pytest.mark.parametrize(
    ("stages", "notes"),
    [
        ([Stage("fetch", "Get", ("in",), ("out",))], ["command differs from"]),
        ([Stage("fetch", "get", (), ("out", "b"))], ["inputs and outputs differ from"]),
        ([], ["fetch is in dvc.lock only"]),
        ([Stage("get", "get", ("in",), ("out",))], ["fetch is in dvc.lock only", "get is not in"]),
    ],
)
def test_every_difference_is_named(stages: list[Stage], notes: list[str]) -> None:
    found = stale_stages(stages, LOCK, source="dvc.yaml")
    assert len(found) == len(notes)
    for finding, note in zip(found, notes, strict=True):
        assert (finding.kind, finding.path) == ("stale", "dvc.yaml")
        assert note in finding.note
