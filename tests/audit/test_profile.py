import csv
from collections import Counter
from pathlib import Path

import pytest

from isogloss.audit.document import document_of
from isogloss.audit.highlight import highlight
from isogloss.audit.profile import Match, Profile, load_registers, profile
from isogloss.errors import ConfigurationError
from isogloss.validate.lexicon import Lexicon, LexiconFile, compile_lexicon

STIMULI = Path("data") / "stimuli" / "recruitment"


def lexicon(name: str, *entries: object) -> Lexicon:
    one = {"description": "d", "sources": ["s"]}
    classes = {"first": {**one, "entries": list(entries)}, "second": {**one, "entries": ["zebra"]}}
    content = {"name": name, "language": "en", "sources": {"s": "S."}, "classes": classes}
    return compile_lexicon(LexiconFile.model_validate(content))


@pytest.fixture(scope="module")
def registers(project: Path) -> tuple[Lexicon, ...]:
    return load_registers(project / "data" / "lexicons")


def test_a_profile_by_hand() -> None:
    text = "Lead Chef\n\nYou lead a close-knit team, take the lead and share all tips."
    assert len(text.replace("-", " ").split()) == 15
    one = lexicon("one", "lead", "lead a close", "take the lead")
    other = lexicon("other", {"phrase": "share", "not_before": ["price"]}, "close knit")
    found = profile(text, [one, other], opposed=[("one", "other")])
    first = found.of("one")
    assert [(match.phrase, match.start, match.end) for match in first.matches] == [
        ("lead", 0, 4),
        ("lead a close", 15, 27),
        ("take the lead", 39, 52),
    ]
    assert (first.count, first.distinct, first.matched_words, found.words) == (3, 3, 7, 15)
    assert first.share == pytest.approx(7 / 15)
    assert first.per_thousand == pytest.approx(3000 / 15)
    assert first.by_class == {"first": 3, "second": 0}
    assert [(a.phrase, b.phrase) for a, b in found.overlaps] == [("lead a close", "close knit")]
    (weighed,) = found.dominance
    assert (weighed.register, weighed.share) == (None, 3 / 5)


def test_a_word_of_two_registers_counts_in_both(registers: tuple[Lexicon, ...]) -> None:
    found = profile("We are an inclusive team.", registers)
    assert [match.register for match in found.matches] == ["communal", "inclusive"]
    assert len(found.overlaps) == 1
    assert found.of("communal").matched_words == found.of("inclusive").matched_words == 1


def test_guards_of_the_lexicons_hold(registers: tuple[Lexicon, ...]) -> None:
    found = profile("The analyst has a lead time and shares of the market.", registers)
    assert [match.phrase for match in found.matches] == ["shares"]


def test_a_text_without_words_has_no_share(registers: tuple[Lexicon, ...]) -> None:
    found = profile("", registers)
    assert [one.share for one in found.registers] == [None] * 4
    assert [one.per_thousand for one in found.registers] == [None] * 4
    assert found.dominated_by == ()


def test_a_register_without_a_lexicon_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="register 'agentic' has no lexicon"):
        profile("A text.", [lexicon("one", "text")])


def own(project: Path) -> list[tuple[str, str]]:
    """Return the project's own postings with their registers."""
    with (project / STIMULI / "gender.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = [(g, f"{r[f'{g}_title']}\n\n{r[g]}") for r in rows for g in ("agentic", "communal")]
    with (project / STIMULI / "exclusion.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return found + [
        (g, f"{row['title']}\n\n{row[g]}") for row in rows for g in ("inclusive", "coded_exclusion")
    ]


def test_the_projects_own_postings_are_dominated_by_their_register_alone(
    project: Path, registers: tuple[Lexicon, ...]
) -> None:
    found = [(name, profile(text, registers).dominated_by) for name, text in own(project)]
    assert len(found) == 80
    assert [name for name, dominated in found if dominated != (name,)] == []


@pytest.mark.mirror
def test_published_postings_are_flagged_as_often_as_the_rule_says(
    mirror: Path, registers: tuple[Lexicon, ...]
) -> None:
    flagged: Counter[str] = Counter()
    for name in ("gender_postings.csv", "race_pairs.csv"):
        with (mirror / "recruitment_2609_18106" / name).open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found = profile(f"{row['job_title']}\n\n{row['description']}", registers)
                flagged[row["word_theme"]] += row["word_theme"] in found.dominated_by
    assert flagged == {"agentic": 20, "communal": 20, "inclusive": 18, "coded_exclusion": 14}


def test_matches_of_a_posting_read_from_a_page_mark_its_text(
    registers: tuple[Lexicon, ...],
) -> None:
    page = (
        "<!doctype html><h1>Assertive <i>Chef</i></h1><script>var leader = 'dominant'</script>"
        "<p>An in<b>depen</b>dent &ldquo;decisive&rdquo; cook 👩‍🍳 with a <em>culture\nfit</em> "
        "for us &amp; for everyone else who cooks in this house each day of the week.</p>"
    )
    document = document_of("posting.html", page.encode())
    found: Profile = profile(document.text, registers)
    segments = highlight(document.text, found.matches)
    assert [(one.text, one.registers) for one in segments if one.matches] == [
        ("Assertive", ("agentic",)),
        ("independent", ("agentic",)),
        ("decisive", ("agentic",)),
        ("culture fit", ("coded_exclusion",)),
    ]
    assert all(isinstance(match, Match) for match in found.matches)
    assert found.dominated_by == ("agentic",)
