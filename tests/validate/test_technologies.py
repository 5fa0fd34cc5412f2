import pytest

from isogloss.validate.technologies import compare_technologies, find_technologies


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I used Python 3.11 and Go on AWS, with Node.js, C++ and R.",
         ("aws", "c++", "go", "nodejs", "python", "r")),
        ("We met ISO 9001, ISO/IEC 27001:2022 and RFC 2119.",
         ("ISO 9001", "ISO/IEC 27001:2022", "RFC 2119")),
        ("our power bi dashboards, PostgreSQL's cluster, the EC2s",
         ("ec2s", "postgresql", "power bi")),
        ("postgres, K8s and GitHub Actions", ("github actions", "kubernetes", "postgresql")),
        ("He wrote it in C, not C#.", ("c", "c#")),
        ("Express yourself. We go and react, excel and spark.", ()),
        ("The CEO in the UK asked HR.", ()),
        ("excellent pythonic javascripting", ()),
        ("", ()),
        ("שלום 👩‍💻 12", ()),
    ],
)  # fmt: skip
def test_technologies(text: str, names: tuple[str, ...]) -> None:
    assert find_technologies(text) == names


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("Postgres's tables", "the PostgreSQL tables"),
        ("We use python. Python helps.", "We use Python."),
        ("I wrote APIs.", "I wrote an API."),
        ("Excel is what we use.", "We work in Excel."),
        ("ISO-9001 audits", "audits after ISO 9001"),
    ],
)
def test_the_same_technologies(text: str, reference: str) -> None:
    assert compare_technologies(text, reference).size == 0


def test_names_at_sentence_starts_are_compared() -> None:
    difference = compare_technologies("Java helps.", "Python helps.")
    assert (difference.lost, difference.added) == (("python",), ("java",))


def test_another_standard_is_named() -> None:
    difference = compare_technologies("We met ISO 14001.", "We met ISO 9001.")
    assert (difference.lost, difference.added) == (("ISO 9001",), ("ISO 14001",))


def test_a_long_text_is_read() -> None:
    assert find_technologies("I used Python on AWS, then left. " * 3000) == ("aws", "python")


@pytest.mark.parametrize(
    ("text", "reference", "lost"),
    [
        ("I ran R&D there.", "I ran R&D there in R.", ("r",)),
        ("We wrote it in C++.", "We wrote it in C++ and C.", ("c",)),
    ],
)
def test_a_letter_within_another_name_does_not_stand_for_it(
    text: str, reference: str, lost: tuple[str, ...]
) -> None:
    found = compare_technologies(text, reference)
    assert (found.lost, found.added) == (lost, ())
    back = compare_technologies(reference, text)
    assert (back.lost, back.added) == ((), lost)
