"""Keep transformers' own bars and notices off the terminal while it loads a model."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import transformers


@contextmanager
def quiet() -> Iterator[None]:
    """Show nothing but errors within the block; afterwards everything is as it was."""
    verbosity = transformers.logging.get_verbosity()
    bars = transformers.logging.is_progress_bar_enabled()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        transformers.logging.set_verbosity(verbosity)
        if bars:
            transformers.logging.enable_progress_bar()
