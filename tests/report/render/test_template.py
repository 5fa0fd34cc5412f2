import pytest

from isogloss.errors import ReportError
from isogloss.report.render.template import style_rules


def test_only_the_rules_of_a_theme_are_used() -> None:
    text = "/*-- scss:defaults --*/\n$a: 1;\n/*-- scss:rules --*/\np { a: b; }\n"
    assert style_rules(text, "x.scss") == "p { a: b; }"


@pytest.mark.parametrize(
    "rules",
    [
        "p { color: $accent; }",
        "// comment",
        "@import 'x';",
        "p { background: url(https://x.org/a.png); }",
        "</style><script>1</script>",
    ],
)
def test_rules_that_need_a_compiler_or_an_address_are_refused(rules: str) -> None:
    with pytest.raises(ReportError, match=r"x\.scss"):
        style_rules(f"/*-- scss:rules --*/\n{rules}\n", "x.scss")


def test_a_theme_without_rules_is_refused() -> None:
    with pytest.raises(ReportError, match="no rules"):
        style_rules("p { a: b; }", "x.scss")


def test_the_projects_own_theme_has_defaults_and_rules(project) -> None:
    text = (project / "reports" / "custom.scss").read_text(encoding="utf-8")
    assert "/*-- scss:defaults --*/" in text
    rules = style_rules(text, "custom.scss")
    assert "prefers-color-scheme: dark" in rules
    assert "@media print" in rules
    assert rules.count("{") == rules.count("}")
