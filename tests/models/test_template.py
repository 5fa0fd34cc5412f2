"""Templates that print the date, against transformers' own rendering on a stopped clock."""

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import transformers.utils.chat_template_utils
import yaml
from pydantic import ValidationError

from isogloss.config.schema import TransformersModel
from isogloss.models.local import LocalModel
from isogloss.models.template import options_for, prints_date

Load = Callable[..., LocalModel]

DAY = date(2024, 7, 3)
CHAT = [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "I."}]

BODY = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
)
LIKE_LLAMA = (
    "{%- if not date_string is defined %}\n"
    "    {%- if strftime_now is defined %}\n"
    '        {%- set date_string = strftime_now("%d %b %Y") %}\n'
    "    {%- else %}\n"
    '        {%- set date_string = "26 Jul 2024" %}\n'
    "    {%- endif %}\n"
    "{%- endif %}\n"
    "{{- '<|im_start|>system\\nToday Date: ' + date_string + '<|im_end|>\\n' }}\n"
)
TEMPLATES = {
    "like Llama": LIKE_LLAMA + BODY,
    "in numbers": "{%- set today = strftime_now('%Y-%m-%d') -%}\n{{ today }}.\n" + BODY,
    "in words": "It is {{ strftime_now('%A, %-d %B %Y, %j of %y (%%, %H:%M)') }}.\n" + BODY,
    "in a macro": "{% macro head() %}[{{ strftime_now('%d') }}]{% endmacro %}{{ head() }}" + BODY,
    "by name": "{{ strftime_now(format='%d.%m.') }}" + BODY,
    "used as text": "{{ strftime_now('%d %b %Y').split()[1] | upper }}" + BODY,
    "after a line break": "\n{{ strftime_now('%d') }}\n" + BODY,
    "after blanks": "  {% set d = strftime_now('%d') %}\n {{ d }}" + BODY,
    "after trimmed blanks": "\n\n  {%- set d = strftime_now('%d') %}\n {{ d }}" + BODY,
}


class _Stopped(datetime):
    """A clock that shows the beginning of `DAY`."""

    @classmethod
    def now(cls, tz: Any = None) -> datetime:  # noqa: ARG003
        return datetime(DAY.year, DAY.month, DAY.day)


def _with_template(place: Path, template: str) -> None:
    (place / "model" / "chat_template.jinja").write_text(template, encoding="utf-8")


def _rendered(tokenizer: Any, **options: Any) -> str:
    return str(tokenizer.apply_chat_template(CHAT, tokenize=False, **options))


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_prints_the_configured_day(
    name: str, load: Load, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _with_template(place, TEMPLATES[name])
    local = load(date=DAY)
    found = _rendered(local.tokenizer, **local.render_options)
    today = _rendered(local.tokenizer)
    monkeypatch.setattr(transformers.utils.chat_template_utils, "datetime", _Stopped)
    assert found == _rendered(local.tokenizer)
    assert found != today
    other = options_for(local.tokenizer, date(1999, 12, 31))
    assert _rendered(local.tokenizer, **other) != found


def test_a_date_that_is_passed_as_text_is_the_configured_one(load: Load, place: Path) -> None:
    _with_template(place, "{{ date_string }}" + BODY)
    local = load(date=DAY)
    assert _rendered(local.tokenizer, **local.render_options).startswith("03 Jul 2024<|im_start|>")


def test_the_date_is_recorded_where_it_is_printed(load: Load, place: Path) -> None:
    plain = load(date=DAY)
    assert plain.identity.date is None
    assert plain.render_options == {}
    assert load().identity.digest == plain.identity.digest
    _with_template(place, LIKE_LLAMA + BODY)
    first, later = load(date=DAY).identity, load(date=date(2024, 7, 4)).identity
    assert (first.date, later.date) == ("2024-07-03", "2024-07-04")
    assert first.digest != later.digest
    assert first.chat_template_sha256 == later.chat_template_sha256
    assert load().identity.date == "2026-01-01"


def test_the_templates_own_system_message_has_the_date(load: Load, place: Path) -> None:
    no_system = "{% if messages[0]['role'] != 'system' %}" + LIKE_LLAMA.rstrip() + "{% endif %}"
    _with_template(place, no_system + BODY)
    assert load(date=DAY).identity.default_system_message == "Today Date: 03 Jul 2024"


@pytest.mark.parametrize(
    ("template", "printed"),
    [(LIKE_LLAMA, True), ("{{ date_string }}", True), (BODY, False), ("up to date", False)],
)
def test_a_template_without_date_is_left_alone(
    template: str, printed: bool, load: Load, place: Path
) -> None:
    _with_template(place, template)
    assert prints_date(load().tokenizer) is printed


@pytest.mark.parametrize("written", ["2024-07-03", "'2024-07-03'"])
def test_a_date_is_configured_with_or_without_quotation_marks(written: str) -> None:
    given = yaml.safe_load(f"{{backend: transformers, path: x, date: {written}}}")
    model = TransformersModel.model_validate(given)
    assert model.date == DAY
    assert model.model_dump(mode="json")["date"] == "2024-07-03"


@pytest.mark.parametrize("given", ["3 July 2024", "2024-13-01", "", 20240703, 1.5, True])
def test_what_is_no_date_is_refused(given: Any) -> None:
    with pytest.raises(ValidationError, match="date"):
        TransformersModel.model_validate({"backend": "transformers", "path": "x", "date": given})
