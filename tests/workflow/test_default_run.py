"""A plain run of the real workflow on a few items: the real model, DVC, git and renderer."""

import json
import re
from collections.abc import Callable

import pandas as pd
import pytest
import yaml
from tests.workflow.conftest import INTERRUPTIBLE, ITEMS, MODEL, Run

pytestmark = [pytest.mark.slow, pytest.mark.mirror]

Finished = tuple[Run, str]

# Published means of 200 ratings each, computed from the published files with pandas alone.
PUBLISHED = {
    "command-r-plus-4bit": (3.255, 2.650),
    "olmoe-1b-7b-instruct": (3.440, 2.800),
    "deepseek-r1-distill-qwen-1.5b": (3.240, 2.850),
    "llama-3.1-8b-instruct": (2.800, 2.250),
    "phi-4": (3.390, 2.860),
}


def test_a_plain_run_makes_the_report(finished: Finished) -> None:
    run, _ = finished
    pages = sorted(path.name for path in (run.folder / "reports/_site").glob("*.html"))
    assert pages == [
        f"{name}.html"
        for name in ("audit", "embeddings", "hedging", "index", "recruitment", "stimuli")
    ]
    assert "dvc.lock" not in run.snakemake("--dry-run", "--quiet", "all")
    assert "Nothing to be done" in run.snakemake()


def test_no_page_asks_another_host_for_anything(finished: Finished) -> None:
    for page in (finished[0].folder / "reports/_site").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r"""(?:src|srcset|action|data|poster)\s*=\s*["']([^"']+)""", text)
        fetched += re.findall(r"""<link\b[^>]*\bhref\s*=\s*["']([^"']+)""", text)
        fetched += re.findall(r"""(?:url\(|@import)\s*["']?([^"')\s]+)""", text)
        assert fetched or page.name == "audit.html"
        assert [address for address in fetched if not address.startswith(("data:", "#"))] == []


def test_every_artifact_is_recorded(finished: Finished) -> None:
    run, _ = finished
    lock = yaml.safe_load((run.folder / "dvc.lock").read_text(encoding="utf-8"))
    recorded = {out["path"] for stage in lock["stages"].values() for out in stage["outs"]}
    made = {
        path.relative_to(run.folder).as_posix()
        for folder in ("raw", "items", "generated", "models", "responses", "results")
        for path in (run.folder / "data" / folder).rglob("*")
        if path.is_file()
    }
    assert made
    assert made <= recorded
    assert {"reports/_site", "reports/_generated", "reports/_variables.yml"} <= recorded


def test_recorded_responses_give_the_published_means(finished: Finished) -> None:
    run, said = finished
    means = pd.read_csv(run.folder / "data/results/hedging/means.csv")
    published = means[means["item_set"] == "published"].set_index(["model", "guise"])
    for model, (confident, hedged) in PUBLISHED.items():
        assert round(published.loc[(model, "confident"), "mean"], 3) == confident
        assert round(published.loc[(model, "hedged"), "mean"], 3) == hedged
        assert set(published.loc[model, "n"]) == {200}
        line = f"confident {confident:.3f} (n = 200), hedged {hedged:.3f} (n = 200)"
        assert f"{model} on published, baseline, recorded: {line}" in said


def test_recorded_decisions_are_counted_whatever_their_spelling(finished: Finished) -> None:
    table = pd.read_csv(finished[0].folder / "data/results/hedging/decisions.csv")
    llama = table[(table["model"] == "llama-3.1-8b-instruct") & (table["source"] == "model")]
    counts = llama.groupby("decision")["count"].sum().to_dict()
    assert counts == {"advance": 0, "advance with reservations": 13, "do not advance": 27}
    missing = [column for column in llama.columns if column.startswith("n_missing")]
    assert llama[missing].to_numpy().sum() == 0


def test_the_model_rates_every_answer_in_every_condition(finished: Finished) -> None:
    rows = pd.read_parquet(finished[0].folder / INTERRUPTIBLE)
    ratings = rows[(rows["task"] == "rating") & (rows["mode"] == "direct")]
    assert len(ratings) == ITEMS * 3 * 2
    assert set(rows["outcome"]) == {"ok"}
    assert ratings["probabilities"].map(sum).sub(1).abs().max() < 1e-12
    assert ratings["answer_mass"].between(0.5, 1).all()


def test_editing_the_readme_runs_nothing(copied: Callable[[], Run]) -> None:
    run = copied()
    readme = run.folder / "README.md"
    readme.write_text(readme.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    assert "Nothing to be done" in run.snakemake()


def test_editing_one_answer_runs_only_what_depends_on_it(copied: Callable[[], Run]) -> None:
    run = copied()
    items = run.folder / "data/stimuli/hedging/items.csv"
    text = items.read_text(encoding="utf-8")
    before, after = " I think ", " I believe "
    old, new = (before, after) if before in text else (after, before)
    edited = text.replace(old, new, 1)
    items.write_text(edited, encoding="utf-8")
    said = run.snakemake()
    jobs = dict(re.findall(r"^(\w+)\s+(\d+)$", said, flags=re.MULTILINE))
    # Later sets are validated against the edited one, and what follows from them runs too.
    assert jobs == {
        "stimuli": "1",
        "generate": "1",
        "validate": "4",
        "inventory": "1",
        "score": "3",
        "analysis_hedging": "1",
        "analysis_recruitment": "1",
        "glmm": "2",
        "report_parts": "1",
        "report": "1",
        "record": "1",
        "all": "1",
        "total": "18",
    }
    stored = f"{MODEL} on own: ratings: {ITEMS * 3 * 2 - 2} of {ITEMS * 3 * 2} already stored"
    assert stored in said
    assert run.isogloss("verify").returncode == 0


def test_changing_the_seed_runs_the_interviews_again(copied: Callable[[], Run]) -> None:
    run = copied()
    before = pd.read_parquet(run.folder / INTERRUPTIBLE)
    config = run.folder / "config/config.yaml"
    text = config.read_text(encoding="utf-8")
    config.write_text(re.sub(r"^seed: \d+", "seed: 7", text, flags=re.MULTILINE), encoding="utf-8")
    said = run.snakemake()
    assert f"{MODEL} on own: ratings: {ITEMS * 3 * 2} of {ITEMS * 3 * 2} already stored" in said
    after = pd.read_parquet(run.folder / INTERRUPTIBLE)
    assert _interviews(before) != _interviews(after)
    direct = ["task", "mode", "item_id", "guise", "condition", "expected"]
    same = (
        rows[(rows["task"] == "rating") & (rows["mode"] == "direct")] for rows in (before, after)
    )
    first, second = (rows[direct].reset_index(drop=True) for rows in same)
    pd.testing.assert_frame_equal(first, second)


def test_a_configuration_error_stops_before_any_job(copied: Callable[[], Run]) -> None:
    run = copied()
    config = run.folder / "config/config.yaml"
    config.write_text(config.read_text(encoding="utf-8").replace("seed:", "sed:"), encoding="utf-8")
    done = run("snakemake", "--cores", "all")
    assert done.returncode != 0
    assert "unknown key; did you mean 'seed'?" in done.stdout
    assert "Traceback" not in done.stdout
    assert "rule " not in done.stdout


def test_a_setting_on_the_command_line_is_refused_and_not_ignored(finished: Finished) -> None:
    done = finished[0]("snakemake", "--cores", "all", "--dry-run", "--config", "seed=5")
    assert done.returncode != 0
    assert "--config file=PATH" in done.stdout


def test_verify_says_what_it_checked_as_json(finished: Finished) -> None:
    done = finished[0].isogloss("verify", "--json")
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["findings"] == []


def _interviews(rows: pd.DataFrame) -> list[tuple[int, str]]:
    drawn = rows[rows["task"] == "interview_rating"]
    return list(zip(drawn["interview"], drawn["item_id"], strict=True))


def test_a_finished_run_has_nothing_left_to_ask(finished: tuple[Run, str]) -> None:
    counted = finished[0].isogloss("score", "hedging", "own", MODEL, "--dry-run")
    assert counted.returncode == 0, counted.stdout
    assert "0 requests, about 0 tokens to read and at most 0 to write" in counted.stdout


def test_answers_can_be_shown_and_taken_to_another_store(copied: Callable[[], Run]) -> None:
    run = copied()
    shown = run.isogloss("responses", "show")
    assert shown.returncode == 0, shown.stdout
    assert MODEL in shown.stdout
    store = ".isogloss/responses.sqlite"
    merged = run.isogloss("responses", "merge", "other.sqlite", store)
    assert merged.returncode == 0, merged.stdout
    again = run.isogloss("responses", "merge", "other.sqlite", store)
    assert again.returncode == 0, again.stdout
    assert run.isogloss("responses", "show", "other.sqlite").stdout.count(MODEL) == 1
