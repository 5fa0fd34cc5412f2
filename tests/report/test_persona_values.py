from tests.report.spans import texts_of
from tests.report.test_values import keys

from isogloss.report.headline import NOTHING
from isogloss.report.persona_headline import persona_headline
from isogloss.report.persona_values import persona_values
from isogloss.report.results import Results


def test_counts_leave_out_what_is_pooled(candidates: Results, one_model: Results) -> None:
    two, one = texts_of(persona_values(candidates)), texts_of(persona_values(one_model))
    assert (two["models"], one["models"]) == ("2", "1")
    assert isinstance(two["responses"], dict)
    assert isinstance(one["responses"], dict)
    # 2 roles: direct 2 sets x (7 + 3 personas) x 8, written 7 x 4, and 2 responses more
    assert one["responses"] == {"total": "380", "missing": "2"}
    assert two["responses"] == {"total": "760", "missing": "4"}
    assert two["verdicts"] == one["verdicts"]


def test_verdicts_count_every_kind_of_comparison(one_model: Results) -> None:
    values = texts_of(persona_values(one_model))
    tests = {
        name: values[name]["tests"]  # type: ignore[index]
        for name in ("verdicts", "gaps")
    }
    # two sets and roles: seven personas; tall and short in two guises
    assert tests == {"verdicts": "28", "gaps": "8"}
    increments = values["increments"]
    assert isinstance(increments, dict)
    assert increments["unspecified"]["tests"] == "24"  # type: ignore[index]
    assert increments["reference"]["tests"] == "4"  # type: ignore[index]


def test_keys_do_not_depend_on_what_was_run(candidates: Results, nobody: Results) -> None:
    full, empty = (
        {key for key in keys(persona_values(found)) if "item_sets" not in key}
        for found in (candidates, nobody)
    )
    assert full == empty
    assert ".plan.high" in full


def test_headline_names_every_persona_and_the_furthest(one_model: Results) -> None:
    lines = persona_headline(one_model).splitlines()
    assert len(lines) == 4
    found = next(line for line in lines if "pairs items, hat seller" in line)
    assert found.startswith("- **red - blue**, pairs items, hat seller, direct, m2: anyone −0.975 ")
    assert "; short −0.488 " in found
    assert found.endswith(
        "Furthest from anyone: tall, by −0.975 \\[−1.247, −0.703\\], "
        "[different]{.verdict-different}."
    )


def test_headline_says_who_has_no_estimate(one_refused: Results) -> None:
    found = persona_headline(one_refused)
    assert "; tall not estimable " in found
    assert "Furthest from anyone: short" in found
    assert "nan" not in found


def test_headline_without_results(nobody: Results) -> None:
    assert persona_headline(nobody) == NOTHING
