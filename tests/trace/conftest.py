"""A project of a few files with a record, a rendered page, and responses behind one table."""

import json
from pathlib import Path

import pytest
import yaml

from isogloss.analysis.plan import AnalysisPlan, write_plan
from isogloss.record.hashing import hash_file
from isogloss.score.responses import Response, write_responses
from isogloss.studies.base import Contrast

EFFECTS = """study,model,item_set,condition,mode,subset,contrast,subgroup,estimate,low,high,n_pairs
colours,m1,own,plain,direct,all,red - blue,,-0.39,-0.55,-0.23,2
colours,m2,own,plain,direct,all,red - blue,,0.1,0.0,0.2,1
colours,m1,own,plain,direct,validated,red - blue,A,-0.5,-0.6,-0.4,1
"""
SPAN = '<span class="num" title="data/results/colours/effects.csv, {}">{}</span>'
PAGE = f"""<!DOCTYPE html><html><body><main>
<h2>Results</h2>
<p>Of {SPAN.format("rows 1-3: n_pairs (sum of n_pairs)", "4")} pairs at
<span class="num" title="data/results/colours/plan.json: alpha">0.05</span>, and
{SPAN.format("row 2: estimate", "+0.100")}. Nothing cites 77.</p>
<div id="tbl-effects"><div id="tbl-effects-caption">Effects.</div><table>
<tr><th>Model</th><th>Difference</th><th>Pairs</th></tr>
<tr><td>m1</td><td>{SPAN.format("row 1: estimate, low, high", "−0.390 [−0.550, −0.230]")}</td>
<td>{SPAN.format("row 1: n_pairs", "2")}</td></tr>
<tr><td>m2</td><td>{SPAN.format("row 2: estimate, low, high", "+0.100 [0.000, 0.200]")}</td>
<td>{SPAN.format("row 2: n_pairs", "1")}</td></tr>
</table></div>
<figure id="fig-effects"><img src="data:," alt="x"><figcaption>Effects.
<span class="source" title="data/results/colours/effects.csv">Drawn from effects.csv.</span>
</figcaption></figure>
</main></body></html>
"""
QMD = """---
title: Colours
---

{{< include _generated/colours/effects.md >}}

![Effects.](_generated/colours/effects.svg){#fig-effects fig-alt="x"}
"""


def response(
    model: str, guise: str, item: str, *, valid: bool = True, task: str = "rating"
) -> Response:
    return Response(
        study="colours",
        model=model,
        item_set="own",
        item_id=item,
        guise=guise,
        condition="plain",
        mode="direct",
        task=task,
        outcome="ok" if valid else "refusal",
        category="A" if item == "i1" else "B",
        valid_pair=valid,
        prompt_sha256=f"{model}{guise}{item}",
    )


@pytest.fixture
def traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the project, which is where commands run."""
    results = tmp_path / "data" / "results" / "colours"
    results.mkdir(parents=True)
    (results / "effects.csv").write_text(EFFECTS, encoding="utf-8")
    contrast = Contrast("red - blue", "red", "blue")
    plan = AnalysisPlan(
        contrasts=(contrast,), conditions=("plain",), baseline="plain", smallest_effect=0.1, seed=1
    )
    write_plan(plan, results / "plan.json")
    for model in ("m1", "m2"):
        rows = [
            response(model, guise, item, valid=item != "i2")
            for item in ("i1", "i2")
            for guise in ("red", "blue", "green")
        ]
        rows.append(response(model, "red", "i1", task="decision"))
        write_responses(
            rows, tmp_path / "data" / "responses" / "colours" / "own" / f"{model}.parquet"
        )
    texts = {
        "data/models/m1.json": json.dumps({"name": "m1", "digest": "ab" * 32}),
        "data/stimuli/items.csv": "item\n",
        "reports/colours.qmd": QMD,
        "reports/_generated/colours/effects.md": ": Effects. {#tbl-effects}\n",
        "reports/_variables.yml": "n: '[4]{.num title=\"data/results/colours/effects.csv, "
        "rows 1-3: n_pairs (sum of n_pairs)\"}'\n",
        "reports/_site/colours.html": PAGE,
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    _record(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _record(root: Path) -> None:
    responses = "data/responses/colours/own/{}.parquet"
    tables = ["data/results/colours/effects.csv", "data/results/colours/plan.json"]
    stages = {
        "analysis": ("analyse", [responses.format("m1"), responses.format("m2")], tables),
        "score-m1": (
            "ask m1",
            ["data/models/m1.json", "data/stimuli/items.csv"],
            [responses.format("m1")],
        ),
        "score-m2": ("ask m2", ["data/stimuli/items.csv"], [responses.format("m2")]),
        "identify-m1": ("identify m1", [], ["data/models/m1.json"]),
    }
    document = {
        "schema": "2.0",
        "stages": {
            name: {
                "cmd": command,
                "deps": [_entry(root, path) for path in deps],
                "outs": [_entry(root, path) for path in outs],
            }
            for name, (command, deps, outs) in stages.items()
        },
    }
    (root / "dvc.lock").write_text(yaml.safe_dump(document), encoding="utf-8")


def _entry(root: Path, path: str) -> dict[str, object]:
    content = hash_file(root / path)
    return {"path": path, "hash": "md5", "md5": content.md5, "size": content.size}
