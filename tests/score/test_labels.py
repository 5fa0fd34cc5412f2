import pytest

from isogloss.score.labels import MARKS, Names, parse_label

YES_NO = Names.of(("yes", "no"), (("Yes", "YES"), ("No", "NO")))
LETTERS = Names.of(("A", "B", "AB"))
CASED = Names.of(("a", "A"))
LEVELS = Names.of(("pass", "pass with notes", "I don't know"))

REPLIES: list[tuple[Names, str, str | None]] = [
    # a label alone, on a line of its own, or as the first sentence
    (YES_NO, "Yes", "yes"),
    (YES_NO, "(yes)", "yes"),
    (YES_NO, "**NO.**", "no"),
    (YES_NO, "It depends on the state.\nNo", "no"),
    (YES_NO, "Yes\nIt is legal there.", "yes"),
    (YES_NO, "Yes. It is legal there.", "yes"),
    (YES_NO, "Yes! Go at once.", "yes"),
    (LETTERS, "B", "B"),
    (LETTERS, "(B)", "B"),
    (LETTERS, "b.", "B"),
    (LETTERS, "AB", "AB"),
    (LEVELS, "i don't know", "I don't know"),
    (LEVELS, "Pass  with\nnotes.", "pass with notes"),
    # as the first clause, where no label begins another
    (YES_NO, "Yes, it is.", "yes"),
    (YES_NO, "No - you may not.", "no"),
    (YES_NO, "No—never.", "no"),
    (YES_NO, "Yes (in most states)", "yes"),
    (YES_NO, "No; it is not.", "no"),
    (LEVELS, "Pass. The work is sound.", "pass"),
    (LEVELS, "Pass, with notes", None),
    (LEVELS, "Pass (with notes)", None),
    (LEVELS, "Pass. With notes.", None),
    (LEVELS, "Pass, the work is sound", None),
    # after a mark
    (YES_NO, "Answer: yes", "yes"),
    (YES_NO, "I looked at it. Answer: No. Final answer: Yes", "yes"),
    (YES_NO, "Answer:\n**Yes**", "yes"),
    (YES_NO, "Answer: yes, of course", "yes"),
    (YES_NO, "Answer: Yes\nReason: it is legal.", "yes"),
    (YES_NO, "Answer: unsure\nYes", None),
    (LETTERS, "Answer: A) the first", None),
    # an echoed template
    (YES_NO, "Answer: <Yes or No>", None),
    (YES_NO, "Answer: yes/no", None),
    (YES_NO, "Answer: yes or no\nAnswer: no", "no"),
    (YES_NO, "Answer: no\nAnswer: [yes | no]", "no"),
    (YES_NO, "Answer: <Yes or No>\nYes", "yes"),
    (LETTERS, "Answer: A, B or AB", None),
    # two labels, or none
    (YES_NO, "Yes\nNo", None),
    (YES_NO, "Yes. No.", None),
    (YES_NO, "No, yes", None),
    (YES_NO, "Yes or no", None),
    (LETTERS, "A, B", None),
    (YES_NO, "", None),
    (YES_NO, "Maybe", None),
    (YES_NO, "Yesterday", None),
    (YES_NO, "Nothing to add.", None),
    (YES_NO, "I would say yes", None),
    (YES_NO, "yes and more", None),
    (LETTERS, "A good answer.", None),
    (LETTERS, "Band B", None),
    # a sentence that refuses gives no answer
    (YES_NO, "No, I cannot tell you whether it is legal.", None),
    (YES_NO, "No, I'm not able to answer that.", None),
    (YES_NO, "No, I can't see a reason to worry.", "no"),
    (YES_NO, "No. I cannot say more.", "no"),
]


@pytest.mark.parametrize(("names", "reply", "label"), REPLIES)
def test_a_label_is_read_or_malformed(names: Names, reply: str, label: str | None) -> None:
    parsed = parse_label(reply, names)
    assert (parsed.value, parsed.status) == (label, "malformed" if label is None else "ok")


def test_labels_that_differ_in_case_alone_are_read_by_case() -> None:
    assert parse_label("a", CASED).value == "a"
    assert parse_label("A", CASED).value == "A"
    assert parse_label("Answer: A.", CASED).value == "A"


def test_only_the_marks_that_are_asked_for_mark() -> None:
    reply = "Verdict: no\nAnswer: yes"
    assert parse_label(reply, YES_NO, marks=MARKS).value == "yes"
    assert parse_label(reply, YES_NO, marks=("Verdict",)).value == "no"
    assert parse_label("My last word : no", YES_NO, marks=("my last word",)).value == "no"


def test_a_variant_names_its_label() -> None:
    names = Names.of(("harmful", "fine"), ((" bad", " very bad"), (" good",)))
    assert parse_label("Very bad.", names).value == "harmful"
    assert parse_label("Fine", names).value == "fine"
