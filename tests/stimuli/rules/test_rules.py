"""What holds for every rule."""

import pytest

from isogloss.stimuli.rules import RULES, Rewriting
from isogloss.stimuli.rules.protected import protected_regions


def test_rules_carry_their_names_and_sources() -> None:
    assert {"articles", "hedges", "unhedge", "contract", "expand", "aae"} <= set(RULES)
    assert all(rule.name == name and rule.sources for name, rule in RULES.items())


@pytest.mark.parametrize("name", sorted(RULES))
def test_undoing_the_changes_gives_back_the_text(name: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        rewriting = RULES[name](text)
        assert rewriting.undone() == text
        _check_spans(rewriting)


def _check_spans(rewriting: Rewriting) -> None:
    behind = 0
    for span in rewriting.spans:
        assert behind <= span.start <= span.end
        assert rewriting.text[span.start : span.end] == span.after != span.before
        behind = span.end


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_does_the_same_every_time(name: str, texts: tuple[str, ...]) -> None:
    assert [RULES[name](text, 7) for text in texts] == [RULES[name](text, 7) for text in texts]


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_finds_nothing_more_to_do(name: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        once = RULES[name](text).text
        assert RULES[name](once).text == once


@pytest.mark.parametrize("name", sorted(set(RULES) - {"articles"}))
def test_what_is_protected_stays(name: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        kept = [text[start:end] for start, end in protected_regions(text)]
        changed = RULES[name](text).text
        position = 0
        for stretch in kept:
            assert stretch in changed[position:]
            position = changed.index(stretch, position) + len(stretch)


@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.parametrize("text", ["No finite place\there", "Why?", "Stop!", "12 - 40%", "NASA"])
def test_a_text_without_a_place_comes_back_as_it_is(name: str, text: str) -> None:
    assert RULES[name](text) == Rewriting(text, ())


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_text_of_forty_pages_is_rewritten_like_its_parts(
    name: str, confident: tuple[str, ...]
) -> None:
    long = "\n\n".join(confident * 5)
    assert len(long) > 100_000
    rewriting = RULES[name](long)
    assert rewriting.undone() == long
    if not name.startswith("hedges"):
        assert rewriting.text == "\n\n".join(RULES[name](text).text for text in confident * 5)
