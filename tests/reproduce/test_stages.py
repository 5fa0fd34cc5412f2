"""In what order stages are taken over and run."""

from isogloss.record.stages import Stage
from isogloss.reproduce.stages import Step, steps


def stage(name: str, *deps: str) -> Stage:
    """A stage that writes one file of its name."""
    return Stage(name, "true", tuple(f"data/{dep}" for dep in deps), (f"data/{name}",))


CHAIN = [
    stage("fetch"),
    stage("items", "fetch"),
    stage("verdicts", "items"),
    stage("answers", "items", "verdicts"),
    stage("results", "answers"),
]


def test_without_anything_taken_over_there_is_one_step() -> None:
    made = tuple(f"data/{one.name}" for one in CHAIN)
    assert steps(CHAIN, set()) == (Step((), made),)


def test_what_is_taken_over_comes_after_all_that_stands_before_it() -> None:
    assert steps(CHAIN, {"answers"}) == (
        Step((), ("data/fetch", "data/items", "data/verdicts")),
        Step(("data/answers",), ("data/results",)),
    )


def test_what_has_nothing_made_before_it_is_there_from_the_start() -> None:
    assert steps(CHAIN, {"fetch", "items", "verdicts", "answers"}) == (
        Step(("data/fetch", "data/items", "data/verdicts", "data/answers"), ("data/results",)),
    )


def test_taken_over_and_made_may_take_turns() -> None:
    assert steps(CHAIN, {"fetch", "verdicts", "results"}) == (
        Step(("data/fetch",), ("data/items",)),
        Step(("data/verdicts",), ("data/answers",)),
        Step(("data/results",), ()),
    )


def test_what_is_written_elsewhere_is_not_made() -> None:
    page = Stage("page", "true", ("data/results",), ("reports/_site",))
    assert steps([*CHAIN, page], set()) == steps(CHAIN, set())
