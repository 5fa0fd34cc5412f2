import pytest

from isogloss.errors import StatisticsError
from isogloss.stats.glmm.formula import Parsed, parse


@pytest.mark.parametrize(
    ("formula", "fixed", "groups"),
    [
        ("y ~ x + (1 | g)", "x", [("g",)]),
        ("y~(1|g)+x+(1|h)", "x", [("g",), ("h",)]),
        ("y ~ (1 | g)", "1", [("g",)]),
        ("y ~ x * z - 1 + (1 | g)", "x * z - 1", [("g",)]),
        ("y ~ 0 + x + (1 | g:h)", "0 + x", [("g", "h")]),
        ("y ~ x + (1 | a/b/c)", "x", [("a",), ("a", "b"), ("a", "b", "c")]),
        ("y ~ C(x, Treatment('a+b|c')) + (1 | g)", "C(x, Treatment('a+b|c'))", [("g",)]),
        ("y ~ (x + z)**2 + (1 | `my group`)", "(x + z)**2", [("my group",)]),
        ("y ~ x", "x", []),
    ],
)
def test_random_intercepts_are_taken_out(formula: str, fixed: str, groups: list) -> None:
    assert parse(formula) == Parsed("y", fixed, (), tuple(groups))


def test_offsets_are_taken_out_and_the_response_may_be_an_expression() -> None:
    parsed = parse("np.log(y) ~ x + offset(np.log(n) - 1) + (1 | g) + offset(z)")
    assert parsed == Parsed("np.log(y)", "x", ("np.log(n) - 1", "z"), (("g",),))


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("y ~ x + (1 + x | g)", r"\(1 \+ x \| g\) asks for random slopes"),
        ("y ~ x + (x | g)", "asks for random slopes"),
        ("y ~ x + (0 + x | g)", "asks for random slopes"),
        ("y ~ x + (1 || g)", r"'\|\|' is not supported"),
        ("y ~ x + (x || g)", r"'\|\|' is not supported"),
        ("y ~ x * (1 | g)", "is not a random intercept"),
        ("y ~ x | g", "is not a random intercept"),
        ("y ~ x - (1 | g)", "cannot be taken away"),
        ("y ~ x + (1 | g) + (1 | g)", "the random intercept of g stands twice"),
        ("y ~ x + (1 | g) + (1 | g/h)", "the random intercept of g stands twice"),
        ("y ~ x + (1 | g + h)", "is no grouping factor"),
        ("y ~ x + (1 | )", "is no grouping factor"),
        ("y ~ x + (1 | g", "do not match"),
        ("y ~ x + ", "do not match"),
        ("x + (1 | g)", "write it as 'response ~ terms'"),
        ("y ~ ", "write it as 'response ~ terms'"),
    ],
)
def test_what_cannot_be_read_is_named(formula: str, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        parse(formula)
