from tests.mixed.postings import DESIGN, NOBODY, SHORT, TALL

from isogloss.mixed.personas import persona_order, persona_sets


def test_each_family_has_the_personas_and_comparisons_of_its_own() -> None:
    height, hand, both = persona_sets(DESIGN)
    assert [one.name for one in (height, hand, both)] == ["height", "hand", "hand x height"]
    assert height.levels == (NOBODY, SHORT, TALL)
    assert height.own == (TALL, SHORT)
    assert height.pairs == ((TALL, SHORT), (TALL, NOBODY), (SHORT, NOBODY))
    assert hand.pairs[0] == ("left", "right")


def test_crossed_personas_are_compared_within_the_first_attribute() -> None:
    both = persona_sets(DESIGN)[2]
    assert both.pairs[:2] == (("left, tall", "left, short"), ("right, tall", "right, short"))
    assert [reference for _, reference in both.pairs[2:]] == [NOBODY] * 4
    assert both.levels[0] == NOBODY
    assert not set(both.own) & {TALL, SHORT, "left", "right"}


def test_tables_list_nobody_first_and_then_the_families() -> None:
    order = persona_order(DESIGN)
    assert order[:6] == ("", NOBODY, TALL, SHORT, "left", "right")
    assert len(order) == 10
    assert persona_order(None) == ("",)
