import pytest

from isogloss.validate.facts import LONGEST_LIST, bounded, compare_entities, compare_quantities


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("I cut it by about forty percent.", "I cut it by 40%."),
        ("I perhaps had five years there.", "I had 5 years there."),
        ("No figure.", "None at all."),
    ],
)
def test_same_quantities(text: str, reference: str) -> None:
    assert compare_quantities(text, reference).size == 0


def test_lost_and_added_quantities_are_named() -> None:
    difference = compare_quantities("In 3 months we got 40% and 40%.", "In 3 weeks we got 40%.")
    assert difference.lost == ("3 week",)
    assert difference.added == ("3 month", "40%")
    assert difference.describe("number") == "number lost: 3 week; number added: 3 month, 40%"


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("I think Python is fine.", "Python is fine."),
        ("Well, I'd say we used C++.", "We used C++, always."),
        ("I guess the APIs held.", "The API held."),
        ("I sort of ran CI/CD.", "I ran CI/CD."),
        ("Maybe Node.js, e.g. Express.", "Node.js, e.g. Express."),
        ("I like Google's tools.", "I like Google tools."),
        ("We ship. Perhaps often.", "We ship. Often."),
    ],
)
def test_same_names(text: str, reference: str) -> None:
    assert compare_entities(text, reference).size == 0


@pytest.mark.parametrize(
    "name",
    ["C++", "C#", ".NET", "Node.js", "CI/CD", "R&D", "EC2", "5G", "GPT-4", "GitHub", "iOS", "SQL",
     "Berlin", "Éva", "R", "PostgreSQL", "Big-O"],
)  # fmt: skip
def test_a_lost_name_is_named(name: str) -> None:
    difference = compare_entities("I worked on it there.", f"I worked on {name} there.")
    assert (difference.lost, difference.added) == ((name,), ())


def test_a_plain_sentence_has_no_names() -> None:
    difference = compare_entities("I'm sure: We did it. A plan helps. He/she and/or I agreed.", "")
    assert difference.size == 0


def test_words_at_sentence_starts_only_are_not_seen() -> None:
    assert compare_entities("Python helps.", "Java helps.").size == 0


def test_unknown_words_at_sentence_starts_are_names() -> None:
    difference = compare_entities("Hartmoor Trucks hires.", "Hartwell Trucks hires.")
    assert (difference.lost, difference.added) == (("Hartwell",), ("Hartmoor",))


def test_days_and_months_count_where_one_takes_the_place_of_another() -> None:
    assert compare_entities("We met at lunch.", "We met at lunch on Friday in May.").size == 0
    difference = compare_entities("We met on Monday.", "We met on Friday.")
    assert (difference.lost, difference.added) == (("Friday",), ("Monday",))


def test_other_scripts_are_read_without_names() -> None:
    assert compare_entities("שלום 👩‍💻 مرحبا", "你好").size == 0


def test_a_list_is_bounded() -> None:
    assert bounded(("ab", "c")) == "ab, c"
    cut = bounded(("word",) * 40)
    assert len(cut) == LONGEST_LIST
    assert cut.endswith("…")
