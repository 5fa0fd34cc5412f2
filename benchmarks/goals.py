"""What is to be reached, and figures that others measured elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A workload in words, and how many times faster than lm-eval reading is to be."""

    title: str
    limit: float
    aim: float
    llama_ms: float
    """CPU ms per prompt of llama.cpp, measured on another machine."""
    llama_format: str
    """Number format of the weights with which that was its best."""


GOALS: Mapping[str, Goal] = {
    "W1": Goal("interview answers after one shared rubric, rated 1 to 5", 5, 6.5, 294, "f32"),
    "W2": Goal("short texts by 12 traits after a shared task, rated 1 to 5", 11, 14, 63, "q8_0"),
    "W3": Goal("conversations by 100 questions, answered yes or no", 18, 24, 194, "f32"),
}


def verdict(ratio: float, goal: Goal) -> str:
    """Say in words which of a goal's two marks a ratio reaches."""
    if ratio >= goal.aim:
        return "limit and aim reached"
    return "limit reached, aim not" if ratio >= goal.limit else "limit not reached"
