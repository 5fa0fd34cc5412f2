"""Leave out what a model thinks aloud before it replies."""

import re

_TAG = r"(?:think|thinking|thought|reasoning)"
_BEGIN = re.compile(rf"\s*<{_TAG}>", re.IGNORECASE)
_END = re.compile(rf"</{_TAG}>", re.IGNORECASE)


def without_thoughts(text: str) -> str | None:
    """Return what follows the last tag that ends thoughts (`</think>`), or the whole of a text.

    The tag that begins them may be missing, since templates of some models begin the reply with it.
    None where thoughts begin a text and do not end.
    """
    ends = list(_END.finditer(text))
    if ends:
        return text[ends[-1].end() :]
    return None if _BEGIN.match(text) else text
