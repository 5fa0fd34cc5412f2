"""Generated texts are made as the configuration says."""

from typing import Any

from tests.project.conftest import Open


def test_generated_texts_are_asked_for_as_configured(
    open_with: Open, shipped: dict[str, Any]
) -> None:
    made = {"set": "hedging/own", "reference": "confident", "guise": "hedged"}
    served = {"backend": "openai", "base_url": "https://x.example/v1", "model": "m"}
    shipped["models"] |= {"served": served, "thinks": {**served, "reasoning": True}}
    shipped["stimuli"] = {
        "generate": {
            "a": made,
            "b": {**made, "by": "served", "items": 4, "temperature": 0.5},
            "c": {**made, "by": "thinks"},
        }
    }
    opened = open_with(shipped)
    common = (
        "hedging --set own --guise hedged --reference confident "
        "--from data/items/hedging/own/items.csv"
    )
    assert opened.generate_options("a") == f"{common} --by rules"
    assert opened.generate_options("b") == (
        f"{common} --model served --candidates 3 --max-new-tokens 400 --temperature 0.5 --items 4"
    )
    assert "--temperature" not in opened.generate_options("c")
    assert "data/stimuli/hedging/own.yaml" in opened.generated_inputs("a")
    assert "data/models/served.json" in opened.generated_inputs("b")
    assert "data/models/served.json" not in opened.generated_inputs("a")
