import pytest

from isogloss.score.amounts import parse_number

WHOLE: dict[str, float | None] = {
    "85000": 85000,
    " 85000.\n": 85000,
    "$85,000": 85000,
    "$ 85,000": 85000,
    "US$85,000": 85000,
    "85000 USD": 85000,
    "USD 85,000": 85000,
    "85,000 dollars": 85000,
    "85000 dollars per year": 85000,
    "$85,000/year": 85000,
    "$85,000 annually.": 85000,
    "**$85,000**": 85000,
    '"85000"': 85000,
    "`85000`": 85000,
    "Salary: $85,000": 85000,
    "Recommended starting salary: **85,000**": 85000,
    "85k": 85000,
    "$85K": 85000,
    "85.5k": 85500,
    "85,000.00": 85000,
    "1,234,567": 1234567,
    "0": 0,
    # not one number
    "": None,
    "eighty-five thousand": None,
    "I would ask for $85,000.": None,
    "about 85000": None,
    "~85000": None,
    "$85,000-$95,000": None,
    "85000 to 95000": None,
    "85k-95k": None,
    "85 000": None,
    "85000\n95000": None,
    "85000+": None,
    "3 x 1000": None,
    # signs, units and other ways of writing
    "-85000": None,
    "−85000": None,
    "+85000": None,
    "85%": None,
    "€85,000": None,
    "85000 EUR": None,
    "$40 per hour": None,
    "$7,000 per month": None,
    "Monthly salary: 7000": None,
    "1.2M": None,
    "8.5e4": None,
    "085000": None,
    "85,00": None,
    "85,0000": None,
    "8,5,000": None,
    "85.000": None,
    "85.000,00": None,
    "85,000k": None,
    "٨٥": None,
    "nan": None,
    "inf": None,
    "1" * 16: None,
    # a fraction
    "85,000.50": None,
    "0.5": None,
    "85.0005k": None,
}


@pytest.mark.parametrize("reply", WHOLE)
def test_a_whole_number_is_read_or_malformed(reply: str) -> None:
    parsed = parse_number(reply, decimals=False)
    value = WHOLE[reply]
    assert (parsed.value, parsed.status) == (value, "malformed" if value is None else "ok")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("85,000.50", 85000.5),
        ("0.5", 0.5),
        ("0.125", 0.125),
        ("1234.567", 1234.567),
        ("85.0005k", 85000.5),
        ("85.000", None),
        (".5", None),
        ("1.2.3", None),
    ],
)
def test_decimals_are_kept_where_they_are_asked_for(reply: str, value: float | None) -> None:
    assert parse_number(reply, decimals=True).value == value


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("none", "no number: 'none'"),
        ("$1-$2", "several numbers: '$1-$2'"),
        ("5%", "not a number by itself: '5%'"),
        ("0.5", "not a whole number: '0.5'"),
    ],
)
def test_a_malformed_number_has_a_reason(reply: str, reason: str) -> None:
    assert parse_number(reply, decimals=False).reason == reason


def test_a_refusal_to_name_a_number_is_a_refusal() -> None:
    parsed = parse_number("I cannot recommend a salary for you.", decimals=False)
    assert (parsed.status, parsed.reason) == ("refusal", "no_help")
