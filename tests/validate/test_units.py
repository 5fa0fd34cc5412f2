import pytest

from isogloss.validate.units import compare_units


@pytest.mark.parametrize(
    ("text", "reference", "lost", "added"),
    [
        ("It took 3 ms.", "It took 3 s.", ("3 second",), ("3 ms",)),
        ("We paid $5.", "We paid £5.", ("£5",), ("$5",)),
        ("500 dollars", "500 euros", ("€500",), ("$500",)),
        ("20 °C", "20 °F", ("20 °F",), ("20 °C",)),
        ("3 s and 5 ms", "3 ms and 5 s", ("3 ms", "5 second"), ("3 second", "5 ms")),
        ("40 points up", "40% up", ("40%",), ("40",)),
        ("at 7 pm", "at 7 am", ("7 am",), ("7 pm",)),
        ("from days to minutes", "from hours to minutes", ("hour",), ("day",)),
        ("a weekly check", "a daily check", ("day",), ("week",)),
        ("half an ounce", "half a gram", ("1/2 g",), ("1/2 oz",)),
        ("4 kg", "5 miles", ("mile",), ("kg",)),
        ("It took a week.", "It took a month.", ("month",), ("week",)),
        ("twice a week", "twice a month", ("month",), ("week",)),
    ],
)
def test_another_unit_is_named(
    text: str, reference: str, lost: tuple[str, ...], added: tuple[str, ...]
) -> None:
    difference = compare_units(text, reference)
    assert (difference.lost, difference.added) == (lost, added)


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("a 5-year plan", "a plan of five years"),
        ("It ran at 20°C for 2 km.", "It ran at 20 degrees Celsius for 2 kilometres."),
        ("40% up", "forty per cent up"),
        ("3 weeks", "4 weeks"),
        ("USD 500", "$500"),
        ("a check every week", "a weekly check"),
        ("twice week", "twice a week"),
        ("third of users", "a third of users"),
        ("these days", "now"),
        ("for a long time", "for 3 years"),
        ("Give me a second.", "Give me a minute."),
        ("5G masts", "masts"),
        ("", "🙂 שלום"),
    ],
)
def test_the_same_units(text: str, reference: str) -> None:
    assert compare_units(text, reference).size == 0
    assert compare_units(reference, text).size == 0
