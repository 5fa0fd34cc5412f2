from isogloss.score.answers import CLOSE, AnswerSet, Spelling, integer_field, rating_scale
from isogloss.score.local.questions import Distributions, Question

ONE, TWO, NOUGHT = 11, 12, 10
TO_TEN = AnswerSet(("1", "2", "10"), (("1",), ("2",), ("10",)), "")
SPELLED = (Spelling(0, (ONE,)), Spelling(1, (TWO,)), Spelling(2, (ONE, NOUGHT)))
TO_TWO = rating_scale(1, 2, "")


def test_a_question_needs_the_point_before_the_second_token_too() -> None:
    collected = Distributions([Question((5, 6), TO_TEN, SPELLED)])
    assert collected.sequences == [(5, 6), (5, 6, ONE)]
    assert collected.wanted(0) == [ONE, TWO]
    assert collected.wanted(1) == [NOUGHT]


def test_an_answer_comes_when_all_its_points_are_read_in_any_order() -> None:
    collected = Distributions([Question((5, 6), TO_TEN, SPELLED)])
    assert list(collected.add(1, [0.25])) == []
    assert list(collected.add(0, [0.5, 0.125])) == [(0, (0.375, 0.125, 0.125))]


def test_a_point_that_questions_share_is_read_once() -> None:
    two = SPELLED[:2]
    collected = Distributions(
        [
            Question((5,), TO_TEN, SPELLED),
            Question((5,), TO_TWO, two),
            Question((5, ONE), TO_TWO, two),
            Question((5,), TO_TWO, two),
        ]
    )
    assert collected.sequences == [(5,), (5, ONE)]
    assert collected.wanted(1) == [NOUGHT, ONE, TWO]
    first = dict(collected.add(0, [0.5, 0.125]))
    assert first == {1: (0.5, 0.125), 3: (0.5, 0.125)}
    assert dict(collected.add(1, [0.25, 0.0625, 0.5])) == {
        0: (0.375, 0.125, 0.125),
        2: (0.0625, 0.5),
    }


def test_the_number_of_a_field_needs_the_point_behind_it() -> None:
    one_to_two = integer_field("f", 1, 2)
    collected = Distributions(
        [Question((5,), one_to_two, SPELLED[:2]), Question((5, ONE), TO_TWO, SPELLED[:2])]
    )
    assert collected.sequences == [(5,), (5, ONE), (5, TWO)]
    assert [collected.wanted(i) for i in range(3)] == [[ONE, TWO], [CLOSE, ONE, TWO], [CLOSE]]
    assert list(collected.add(0, [0.5, 0.25])) == []
    assert list(collected.add(1, [0.5, 0.125, 0.0])) == [(1, (0.125, 0.0))]
    assert list(collected.add(2, [0.25])) == [(0, (0.25, 0.0625))]
