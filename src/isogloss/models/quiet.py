"""Keep the bars and notices of other libraries off the terminal while they load a model."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr

import transformers


@contextmanager
def quiet() -> Iterator[None]:
    """Show nothing within the block; afterwards everything is as it was.

    What fails raises an error. A bar of the reader of GGUF files heeds no setting, so that what is
    written to standard error is dropped.
    """
    verbosity = transformers.logging.get_verbosity()
    bars = transformers.logging.is_progress_bar_enabled()
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        transformers.logging.set_verbosity(verbosity)
        if bars:
            transformers.logging.enable_progress_bar()
