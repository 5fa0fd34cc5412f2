"""How an association test is made."""

from dataclasses import dataclass
from typing import get_args

from isogloss.errors import StatisticsError
from isogloss.stats.arrays import check_level
from isogloss.weat.results import Alternative, Design


@dataclass(frozen=True)
class Options:
    """Options of a test, as `weat` explains them; raises `StatisticsError` for a wrong one."""

    alternative: Alternative = "two-sided"
    ddof: int = 1
    max_exact: int = 1_000_000
    n_permutations: int = 10_000
    seed: int = 0
    design: Design = "unpaired"
    n_bootstrap: int = 2_000
    alpha: float = 0.05

    def __post_init__(self) -> None:
        for name, kind in (("alternative", Alternative), ("design", Design)):
            if getattr(self, name) not in get_args(kind):
                allowed = ", ".join(get_args(kind))
                raise StatisticsError(f"{name} is {getattr(self, name)!r}; use {allowed}")
        if self.ddof not in (0, 1):
            raise StatisticsError(f"ddof is {self.ddof}; use 0 or 1")
        least = {"max_exact": 0, "n_permutations": 1, "n_bootstrap": 1, "seed": 0}
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise StatisticsError(f"{name} is {getattr(self, name)}; use {bound} or more")
        check_level(self.alpha)
