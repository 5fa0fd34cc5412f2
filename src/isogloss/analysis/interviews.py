"""Mean ratings of simulated interviews."""

import pandas as pd

from isogloss.analysis.plan import AnalysisPlan
from isogloss.analysis.records import CELL
from isogloss.score.responses import MISSING

INTERVIEW = [*CELL, "guise", "interview"]
"""Columns that identify one interview in one guise."""


def interview_rows(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Pick the ratings that make up interviews.

    In a design cell whose ratings carry an interview number they are those ratings, elsewhere the
    ratings drawn for interviews.
    """
    numbered = rows.loc[rows["interview"].notna()]
    ratings = numbered.loc[numbered["task"] == plan.rating_task]
    drawn = numbered.loc[numbered["task"] == plan.interview_task]
    rated = pd.MultiIndex.from_frame(ratings[CELL])
    extra = drawn.loc[~pd.MultiIndex.from_frame(drawn[CELL]).isin(rated)]
    return pd.concat([ratings, extra])


def interview_means(rows: pd.DataFrame, plan: AnalysisPlan) -> pd.DataFrame:
    """Mean of the ratings that have a value, per interview and guise.

    Columns `INTERVIEW`, `mean` (NaN where no rating has a value), `n`, `n_missing`, and `outcome`:
    `ok`, or the first missing outcome of an interview without any value.
    """
    used = interview_rows(rows, plan)
    value = used["expected"].where(used["outcome"] == "ok")
    place = used["outcome"].map({name: i for i, name in enumerate(MISSING)})
    grouped = used.assign(value=value, place=place).groupby(INTERVIEW, sort=True)
    table = grouped.agg(
        mean=("value", "mean"),
        n=("value", "count"),
        size=("value", "size"),
        place=("place", "min"),
    ).reset_index()
    names = table["place"].map(dict(enumerate(MISSING)))
    table["outcome"] = names.where(table["n"] == 0, "ok")
    table["n_missing"] = table["size"] - table["n"]
    return table[[*INTERVIEW, "mean", "n", "n_missing", "outcome"]]
