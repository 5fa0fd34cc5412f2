"""Chat templates: what they add by themselves, and the date that some of them print."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from isogloss.errors import ModelError

_PROBE = [{"role": "user", "content": "?"}]
_DIRECTIVES = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ"


def check_template(name: str, tokenizer: Any) -> None:
    """Raise `ModelError` when there is no chat template, or when it cannot be used."""
    if not tokenizer.chat_template:
        raise ModelError(f"model {name}: its tokenizer has no chat template; use a chat model")
    try:
        tokenizer.apply_chat_template(_PROBE, tokenize=False)
    except Exception as error:  # templates raise an error class of their own
        raise ModelError(f"model {name}: its chat template cannot be used: {error}") from error


def prints_date(tokenizer: Any) -> bool:
    """Whether a chat template asks for the date of the day."""
    return bool(re.search(r"\b(strftime_now|date_string)\b", tokenizer.get_chat_template()))


def options_for(tokenizer: Any, day: date) -> dict[str, Any]:
    """Options of `apply_chat_template` under which every day is `day`; none where none is printed.

    transformers gives templates a function `strftime_now`, and turns a function that is passed
    instead of it into a piece of text. So the template is passed, behind a macro of that name.
    """
    if not prints_date(tokenizer):
        return {}
    template = f"{_macro(day)}\n{tokenizer.get_chat_template()}"
    return {"chat_template": template, "date_string": day.strftime("%d %b %Y")}


def _macro(day: date) -> str:
    """A Jinja macro that formats one day; the line break behind it is not printed."""
    moment = datetime.combine(day, time())
    marks = [f"%{flag}{letter}" for flag in ("", "-") for letter in _DIRECTIVES]
    pairs = [("%%", "\0"), *((mark, moment.strftime(mark)) for mark in marks), ("\0", "%")]
    replaced = "".join(f".replace({mark!r}, {text!r})" for mark, text in pairs)
    return f"{{% macro strftime_now(format) %}}{{{{ format{replaced} }}}}{{% endmacro %}}"


def default_system_message(tokenizer: Any, options: Mapping[str, Any]) -> str | None:
    """Text that the template puts before the first user message, with its role marks."""
    shown = str(tokenizer.apply_chat_template(_PROBE, tokenize=False, **options))
    explicit = [{"role": "system", "content": "\x1a"}, *_PROBE]
    try:
        marked = str(tokenizer.apply_chat_template(explicit, tokenize=False, **options))
    except Exception:  # templates refuse a system role with an error class of their own
        return None
    before, _, after = marked.partition("\x1a")
    if shown.startswith(before) and shown.endswith(after) and len(shown) > len(before + after):
        return shown[len(before) : len(shown) - len(after)]
    return None
