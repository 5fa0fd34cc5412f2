import pytest

from isogloss.validate.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "quantities"),
    [
        ("by 40%", ["40%"]),
        ("by 40 percent", ["40%"]),
        ("by forty per cent", ["40%"]),
        ("by 12 percentage points", ["12 pp"]),
        ("five years", ["5 year"]),
        ("5 years", ["5 year"]),
        ("a five-year plan", ["5 year"]),
        ("a 5-year plan", ["5 year"]),
        ("five months", ["5 month"]),
        ("1,000 users", ["1000"]),
        ("a thousand users", ["1000"]),
        ("thousands of users", ["thousands"]),
        ("$1.5 million", ["$1500000"]),
        ("1.5 million dollars", ["$1500000"]),
        ("$5k", ["$5000"]),
        ("200ms", ["200 ms"]),
        ("200 milliseconds", ["200 ms"]),
        ("two hundred and fifty people", ["250"]),
        ("twenty-five people", ["25"]),
        ("three thousand two hundred", ["3200"]),
        ("two, three people", ["2", "3"]),
        ("ten to 15%", ["10", "15%"]),
        ("Python 3.11.2", ["3.11.2"]),
        ("OAuth 2.0", ["2"]),
        ("the 3rd release", ["3rd"]),
        ("twice as fast", ["2x"]),
        ("3x faster", ["3x"]),
        ("half of it", ["1/2"]),
        ("two thirds of it", ["2/3"]),
        ("a quarter of it", ["1/4"]),
        ("each quarter", []),
        ("a third option", []),
        ("one of my strengths", []),
        ("one year", ["1 year"]),
        ("one hundred tests", ["100"]),
        ("S3, EC2 and GPT-4", []),
        ("5G masts", []),
        ("a few, several, many", []),
        ("First, I plan", []),
        ("a dozen calls", ["12"]),
        ("", []),
        ("٤٠ 👍", ["40"]),
    ],
)
def test_quantities(text: str, quantities: list[str]) -> None:
    assert list(find_quantities(text)) == quantities
