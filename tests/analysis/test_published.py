"""The analysis of published responses gives the figures published with them."""

from pathlib import Path

import pandas as pd
import pytest

from isogloss.analysis.decisions import decisions
from isogloss.analysis.effects import effects
from isogloss.analysis.means import means
from isogloss.analysis.paper import paper_test
from isogloss.analysis.plan import AnalysisPlan
from isogloss.score.responses import Response
from isogloss.studies.base import Contrast

pytestmark = pytest.mark.mirror

MEANS = {
    "CohereForAI_c4ai-command-r-plus-4bit": (3.255, 2.650),
    "allenai_OLMoE-1B-7B-0125-Instruct": (3.440, 2.800),
    "deepseek-ai_DeepSeek-R1-Distill-Qwen-1.5B": (3.240, 2.850),
    "meta-llama_Llama-3.1-8B-Instruct": (2.800, 2.250),
    "microsoft_phi-4": (3.390, 2.860),
}
"""Mean rating of confident and of hedged answers, to three decimals."""

LLAMA = "meta-llama_Llama-3.1-8B-Instruct"
CELL = {
    "study": "hedging",
    "item_set": "published",
    "condition": "baseline",
    "mode": "recorded",
    "outcome": "ok",
}

PLAN = AnalysisPlan(
    contrasts=(Contrast("hedged - confident", "hedged", "confident"),),
    conditions=("baseline",),
    baseline="baseline",
    smallest_effect=0.1,
    seed=1,
    decisions=("do not advance", "advance with reservations", "advance"),
)


def sheet_rows(model: str, sheet: pd.Series) -> list[Response]:
    guise = sheet["hedged_or_confident"].lower()
    common = {**CELL, "model": model, "guise": guise, "interview": int(sheet["interview_round"])}
    ratings = [
        Response(
            **common,
            task="rating",
            item_id=sheet[f"question_{q}"].strip(),
            expected=float(sheet[f"question_{q}_score"]),
            modal=str(sheet[f"question_{q}_score"]),
        )
        for q in range(1, 11)
    ]
    decision = sheet["final_answer"].strip().rstrip(".").lower()
    return [*ratings, Response(**common, task="decision", item_id="interview", modal=decision)]


@pytest.fixture(scope="module")
def responses(mirror: Path) -> pd.DataFrame:
    rows = [
        vars(row)
        for model in MEANS
        for _, sheet in pd.read_csv(
            mirror / "hedging" / "interview_scores" / f"interview_scores_{model}.csv"
        ).iterrows()
        for row in sheet_rows(model, sheet)
    ]
    return pd.DataFrame(rows).astype({"interview": "Int64"})


def test_mean_ratings_to_three_decimals(responses: pd.DataFrame) -> None:
    frame = means(responses, PLAN)
    found = frame.pivot(index="model", columns="guise", values="mean").round(3)
    assert {m: (r["confident"], r["hedged"]) for m, r in found.iterrows()} == MEANS
    assert set(frame["n"]) == {200}


def test_the_papers_test_on_one_model(responses: pd.DataFrame) -> None:
    frame = paper_test(responses, effects(responses, PLAN), PLAN).set_index("model")
    row = frame.loc[LLAMA]
    assert row["t"] == pytest.approx(-13.958, abs=5e-4)  # published to three decimals
    assert row["p_value"] == pytest.approx(1.550e-16, rel=5e-4)  # published to four digits
    assert (row["n_guise"], row["n_reference"]) == (20, 20)


def test_paired_effects_are_penalties_in_every_model(responses: pd.DataFrame) -> None:
    frame = effects(responses, PLAN).query("subgroup == '' and subset == 'all'")
    expected = {m: round(hedged - confident, 3) for m, (confident, hedged) in MEANS.items()}
    assert frame.set_index("model")["estimate"].round(3).to_dict() == expected
    assert set(frame["n_pairs"]) == {200}
    assert set(frame["verdict"]) == {"different"}


def test_decisions_are_counted_in_spite_of_spelling(responses: pd.DataFrame) -> None:
    frame = decisions(responses, PLAN).query("source == 'model' and model == @LLAMA")
    counts = frame.set_index(["guise", "decision"])["count"]
    assert counts["confident"].to_dict() == {
        "do not advance": 8,
        "advance with reservations": 12,
        "advance": 0,
    }
    assert counts["hedged"].to_dict() == {
        "do not advance": 19,
        "advance with reservations": 1,
        "advance": 0,
    }
