"""The code of each stage: which parts of the package its artifacts come from, and their digest."""

import hashlib
from pathlib import Path

_CODE = {
    "fetch": ("fetch",),
    "identify": ("models",),
    "stimuli": ("stimuli", "studies", "validate"),
    "validate": ("validate", "guises", "models", "stimuli"),
    "generate": ("stimuli", "validate", "guises", "models", "score"),
    "calibrate": ("validate", "guises", "models", "stats"),
    "inventory": ("inventory", "analysis", "review", "stats", "stimuli", "validate"),
    "score": ("score", "models", "postings", "studies", "validate"),
    "analysis": ("analysis", "postings", "score", "stats", "studies", "validate"),
    "weat": ("weat", "analysis", "models", "stats", "validate"),
    "glmm": ("mixed", "analysis", "postings", "score", "stats", "studies"),
    "report": ("analysis", "crate", "inventory", "mixed", "report", "studies", "weat"),
}
"""Parts of the package whose change runs a stage again."""
_DEFAULTS = "config"
"""Part that has the defaults of settings; what a stage is given of them runs it again."""


def code_digest(stage: str) -> str:
    """SHA-256 over the package's code that a stage runs, file by file."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for part in _CODE[stage]:
        for path in sorted((package / part).rglob("*.py")):
            digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def code_files() -> dict[str, Path]:
    """Files of all parts that decide artifacts, defaults included, by their place in a checkout.

    The files are those of the package that runs, wherever it is installed.
    """
    package = Path(__file__).parent
    return {
        f"src/isogloss/{path.relative_to(package).as_posix()}": path
        for part in sorted({_DEFAULTS, *(part for parts in _CODE.values() for part in parts)})
        for path in sorted((package / part).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
