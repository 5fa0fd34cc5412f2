import textwrap

import pytest

from isogloss.audit.formats.lines import join_wrapped

PROSE = (
    "We look for a mechanic who trues wheels and changes tyres. Anna leads the workshop, and Ben "
    "sells bicycles in it. They open the doors at nine each morning and close them at six. Tea is "
    "free for all who work here, and so is the repair of their own bicycles on Friday evenings."
)


@pytest.mark.parametrize("width", [40, 60, 80, 118])
def test_prose_wrapped_at_any_width_is_joined(width: int) -> None:
    assert join_wrapped(textwrap.fill(PROSE, width)) == PROSE


def test_paragraphs_of_one_line_each_stay_apart() -> None:
    text = f"Mechanic\n{PROSE}\nApply by mail\n{PROSE[:130]}"
    assert join_wrapped(text) == text


def test_items_of_a_list_stay_apart_however_long_they_are() -> None:
    text = (
        "Your work\nTruing the wheels of city bicycles\nSelling the bicycles and their parts\n"
        "Talking with those who come in"
    )
    assert join_wrapped(text) == text
    marked = "- truing the wheels of the bicycles\n- selling bicycles and their parts\n2. talk"
    assert join_wrapped(marked) == marked


def test_a_list_item_of_two_lines_is_joined() -> None:
    text = "- truing the wheels of all the bicycles\nthat people bring\n- selling bicycles"
    assert join_wrapped(text) == (
        "- truing the wheels of all the bicycles that people bring\n- selling bicycles"
    )


@pytest.mark.parametrize(
    ("broken", "joined"),
    [
        ("who is a good fit for the cul-\nture of our workshop", "fit for the culture of"),
        ("who would like to work here part-\ntime on weekdays", "here part-time on"),
        ("who repairs e-bikes, mopeds and co-\noperates well", "and cooperates well"),
        ("who would like to sell the Anglo-\nDutch bicycles", "the Anglo-Dutch bicycles"),
        ("who would like to work full-\nor part-time on weekdays", "full- or part-time"),
    ],
)
def test_what_a_hyphen_parts_at_a_line_end_is_joined(broken: str, joined: str) -> None:
    assert joined in join_wrapped(f"We look for somebody\n{broken}")
