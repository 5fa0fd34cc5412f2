from isogloss.stimuli.rules.rewriting import Edit, Rewriting, Span, compatible, rewrite


def test_spans_are_counted_in_the_new_text() -> None:
    rewriting = rewrite("He is not here.", [Edit(13, 14, "e now", "b"), Edit(3, 9, "ain't", "a")])
    assert rewriting == Rewriting(
        "He ain't here now.",
        (Span(3, 8, "is not", "ain't", "a"), Span(12, 17, "e", "e now", "b")),
    )
    assert rewriting.undone() == "He is not here."


def test_apostrophes_follow_the_text() -> None:
    assert rewrite("He’s not.", [Edit(2, 8, " ain't", "a")]).text == "He ain’t."
    assert rewrite("He's ‘so’ not.", [Edit(2, 4, "'re", "a")]).text == "He're ‘so’ not."


def test_earlier_edits_win_over_those_that_touch_them() -> None:
    first, touching, apart = Edit(4, 6, "", "a"), Edit(6, 9, "", "b"), Edit(7, 9, "", "c")
    assert compatible([first, touching, apart], []) == [first, apart]


def test_edits_keep_out_of_protected_regions() -> None:
    inside, across, at_the_edge = Edit(5, 5, "x", "a"), Edit(2, 5, "", "a"), Edit(8, 8, "x", "a")
    assert compatible([inside, across, at_the_edge], [(4, 8)]) == [at_the_edge]
