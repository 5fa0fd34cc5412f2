"""What can go wrong with a request, sorted by what is to be done about it."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.score.api.limits import LONGEST_WAIT_S, wait_asked_for

LONGEST_REASON = 300
_SHORT = 8
"""Texts of fewer characters are not looked for in what a model says: they occur by chance."""
_AGAIN = (408, 409, 429)
_THIS_PROMPT = (400, 413, 422)
_REMEDIES = {
    401: "check the key in the variable that api_key_env names",
    402: "check the account",
    403: "check what the key may do",
    404: "check base_url and model",
}


class Fault(Exception):
    """Base of the faults; `reason` says what happened."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PassingFault(Fault):
    """Another attempt may succeed, after `wait_s` where the server names a time."""

    def __init__(self, reason: str, *, wait_s: float | None = None, for_all: bool = False) -> None:
        super().__init__(reason)
        self.wait_s = wait_s
        self.for_all = for_all
        """Whether no other request should be sent meanwhile."""


class PromptFault(Fault):
    """The server does not take this prompt; others may be answered."""


class JobFault(Fault):
    """No request can succeed; `remedy` says what the user can do."""

    def __init__(self, reason: str, *, remedy: str) -> None:
        super().__init__(reason)
        self.remedy = remedy


def fault_of_status(status: int, headers: Mapping[str, str], body: object) -> Fault:
    """Return the fault that an HTTP status stands for."""
    said = _said(body)
    reason = f"the server answered with status {status}" + (f": {said}" if said else "")
    if status in _THIS_PROMPT:
        return PromptFault(reason)
    if _code(body) == "insufficient_quota":
        return JobFault(reason, remedy=_REMEDIES[402])
    if status in _AGAIN or status >= 500:
        wait_s = wait_asked_for(headers)
        if wait_s is not None and wait_s > LONGEST_WAIT_S:
            wait = f"the server asks to wait {wait_s:.0f} s (status {status})"
            return JobFault(wait, remedy="run again then")
        return PassingFault(reason, wait_s=wait_s, for_all=status == 429 or wait_s is not None)
    if 300 <= status < 400:
        return JobFault(reason, remedy="give the address that it redirects to as base_url")
    return JobFault(reason, remedy=_REMEDIES.get(status, _REMEDIES[404]))


def _error(body: object) -> object:
    return body.get("error", body) if isinstance(body, dict) else body


def _code(body: object) -> object:
    error = _error(body)
    return error.get("code") if isinstance(error, dict) else None


def _said(body: object) -> str:
    """A server's own words. Only fields made for words are read: others may repeat the prompt."""
    error = _error(body)
    if isinstance(error, dict):
        error = next((error[k] for k in ("message", "detail") if error.get(k)), "")
    if isinstance(error, list):
        error = "; ".join(_complaint(entry) for entry in error)
    return error if isinstance(error, str) else ""


def _complaint(entry: Any) -> str:
    """One entry of a list of validation errors: its place and message, never its input."""
    if not isinstance(entry, dict):
        return ""
    place = entry.get("loc")
    where = ".".join(map(str, place)) if isinstance(place, list) else ""
    return f"{where}: {entry.get('msg')}" if where else str(entry.get("msg", ""))


@dataclass(frozen=True)
class Censor:
    """Takes a key, and the texts of a prompt, out of what a server says."""

    key: str | None

    def key_out(self, text: str) -> str:
        """Return the text with the key replaced."""
        return text.replace(self.key, "[key]") if self.key else text

    def reply(self, text: str) -> str:
        """Return a reply without the key, unless that is so short that it occurs by chance."""
        return text if self.key is None or len(self.key) < _SHORT else self.key_out(text)

    def sentence(self, text: str, prompt: Sequence[str] = ()) -> str:
        """Return a bounded sentence of printable characters without the key and the prompt."""
        text = self.key_out(text)
        for content in (c for c in prompt if len(c) >= _SHORT):
            for written in (content, json.dumps(content)[1:-1]):
                text = text.replace(written, "[prompt]")
        shown = "".join(" " if unicodedata.category(c).startswith("C") else c for c in text)
        shown = " ".join(shown.split())
        return shown if len(shown) <= LONGEST_REASON else shown[: LONGEST_REASON - 1] + "…"
