"""What other libraries draw and say while they load a model."""

import logging
import sys
import warnings

import pytest
import transformers
from tqdm.auto import tqdm

from isogloss.models.quiet import quiet


def test_nothing_is_shown_within_and_everything_afterwards(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = transformers.logging.get_verbosity()
    with quiet():
        for _ in tqdm(range(3), desc="converting tensors"):
            pass
        for _ in transformers.logging.tqdm(range(3), desc="loading weights"):
            pass
        warnings.warn("a notice", stacklevel=1)
        transformers.logging.get_logger("transformers").warning("another notice")
        assert transformers.logging.get_verbosity() == logging.ERROR
    assert capsys.readouterr() == ("", "")
    assert transformers.logging.get_verbosity() == before
    print("a message", file=sys.stderr)
    assert capsys.readouterr().err == "a message\n"


def test_an_error_comes_through() -> None:
    with pytest.raises(ValueError, match="no weights"), quiet():
        raise ValueError("no weights")
