"""Write what a reviewer needs: the spreadsheet and the page."""

from pathlib import Path

from isogloss.errors import ConfigurationError
from isogloss.review.batch import Batch
from isogloss.review.page import write_page
from isogloss.review.workbook import write_workbook

WORKBOOK, PAGE = "review.xlsx", "review.html"


def write_batch(batch: Batch, out: Path) -> tuple[Path, Path]:
    """Write `review.xlsx` and `review.html` into `out` and return their paths.

    Raises `ConfigurationError` when there are no pairs, or when one of the files is there: it may
    hold decisions.
    """
    if not batch.pairs:
        raise ConfigurationError("there is no pair to review; give item sets that have pairs")
    paths = out / WORKBOOK, out / PAGE
    for path in paths:
        if path.exists():
            raise ConfigurationError(f"{path} exists and may hold decisions; choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    write_workbook(batch, paths[0])
    write_page(batch, paths[1])
    return paths
