"""Leave out what a model thinks aloud, before its reply or beside it."""

import re

_TAG = r"think|thinking|thought|reasoning"
_BEGIN = re.compile(rf"\s*<(?:{_TAG})>", re.IGNORECASE)
_END = re.compile(rf"</(?:{_TAG})>", re.IGNORECASE)
_WHOLE = re.compile(rf"<({_TAG})>(?:(?!<\1>).)*?</\1>", re.IGNORECASE | re.DOTALL)


def without_thoughts(text: str) -> str | None:
    """Return what follows the last tag that ends thoughts (`</think>`), or the whole of a text.

    The tag that begins them may be missing, since templates of some models begin the reply with it.
    Where a reply stands before them, they are only cut out. None where thoughts begin a text and do
    not end.
    """
    first = _WHOLE.search(text)
    if first and text[: first.start()].strip() and not _END.search(text[: first.start()]):
        return _WHOLE.sub("\n", text)
    ends = list(_END.finditer(text))
    if ends:
        return text[ends[-1].end() :]
    return None if _BEGIN.match(text) else text
