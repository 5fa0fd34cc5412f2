"""Samples: how they are written, and what is drawn."""

import hashlib

import pytest

from isogloss.errors import ConfigurationError
from isogloss.reproduce.drawing import draw, parse_sample

PROMPTS = {
    table: [hashlib.sha256(f"{table} {n}".encode()).hexdigest() for n in range(count)]
    for table, count in {"a": 101, "b": 400, "c": 1}.items()
}


def sizes(text: str) -> dict[str, int]:
    return {table: len(drawn) for table, drawn in draw(PROMPTS, parse_sample(text), 7).items()}


def test_a_share_is_taken_of_each_table_and_rounded_up() -> None:
    assert sizes("5%") == {"a": 6, "b": 20, "c": 1}
    assert sizes("100%") == {"a": 101, "b": 400, "c": 1}
    assert sizes("0.001 %") == {"a": 1, "b": 1, "c": 1}


def test_a_number_is_taken_of_all_tables_together() -> None:
    found = sizes("50")
    assert sum(found.values()) == 50
    assert found["b"] > found["a"] > 0
    assert sum(sizes("999999").values()) == 502


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    sample = parse_sample("5%")
    once = draw(PROMPTS, sample, 7)
    backwards = {table: PROMPTS[table][::-1] for table in reversed(PROMPTS)}
    assert draw(backwards, sample, 7) == once
    assert draw(PROMPTS, sample, 8)["b"] != once["b"]
    assert all(drawn <= set(PROMPTS[table]) for table, drawn in once.items())


def test_a_larger_sample_holds_the_smaller_one() -> None:
    small, large = (draw(PROMPTS, parse_sample(text), 7)["b"] for text in ("5%", "10%"))
    assert small < large


def test_every_prompt_is_as_likely_as_another() -> None:
    times = dict.fromkeys(PROMPTS["a"], 0)
    for seed in range(400):
        for prompt in draw({"a": PROMPTS["a"]}, parse_sample("10%"), seed)["a"]:
            times[prompt] += 1
    # 400 draws of 11 out of 101: 43.6 on average, standard deviation 6.2.
    assert min(times.values()) > 15
    assert max(times.values()) < 75


@pytest.mark.parametrize("text", ["0%", "0", "101%", "-5%", "five", "", "1e2", "5%%", "0.0%"])
def test_only_shares_and_numbers_are_samples(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--sample"):
        parse_sample(text)


def test_a_sample_says_what_it_is() -> None:
    assert [str(parse_sample(text)) for text in ("5%", "0.5 %", "20")] == [
        "5%",
        "0.5%",
        "20 prompts",
    ]
