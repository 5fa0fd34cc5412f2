import copy
import hashlib
from collections.abc import Sequence
from typing import Any

import pytest
from tokenizers.processors import TemplateProcessing

from isogloss.errors import ItemError, ModelError
from isogloss.models.local import LocalModel
from isogloss.score.prompts import Message, Prompt, encode, render

USER = (Message("user", "is it so?"),)


def test_a_prompt_is_the_template_once_and_the_reply(tokenizer: Any) -> None:
    prompt = render(
        (Message("system", "be brief"), *USER, Message("assistant", "yes"), Message("user", "so?")),
        "Rating: ",
        tokenizer,
    )
    assert prompt.text == (
        "<s><|system|>be brief</s><|user|>is it so?</s><|assistant|>yes</s><|user|>so?</s>"
        "<|assistant|>Rating: "
    )
    assert tokenizer.decode(list(prompt.tokens)) == prompt.text


def test_there_is_one_bos_when_tokenizer_and_template_both_add_it(tokenizer: Any) -> None:
    eager = copy.deepcopy(tokenizer)
    eager.backend_tokenizer.post_processor = TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", eager.bos_token_id)]
    )
    assert eager.encode("a")[0] == eager.bos_token_id  # by itself it does add one
    prompt = render(USER, "Rating: ", eager)
    assert prompt.tokens.count(eager.bos_token_id) == 1
    assert prompt == render(USER, "Rating: ", tokenizer)


def test_special_tokens_of_the_template_are_single_tokens(tokenizer: Any) -> None:
    tokens = render(USER, "", tokenizer).tokens
    assert tokens[:2] == (tokenizer.bos_token_id, tokenizer.convert_tokens_to_ids("<|user|>"))
    assert tokens[-1] == tokenizer.convert_tokens_to_ids("<|assistant|>")


@pytest.mark.parametrize("token", ["</s>", "<s>", "<pad>", "<|user|>", "<|assistant|>", "<repo>"])
@pytest.mark.parametrize("place", ["{}", "I wrote {}.", "a{}b"])
def test_a_control_token_inside_an_item_is_refused(token: str, place: str, tokenizer: Any) -> None:
    content = place.format(token)
    assert tokenizer.convert_tokens_to_ids(token) in encode(content, tokenizer)
    with pytest.raises(ItemError, match=r"control token"):
        render((*USER, Message("user", content)), "", tokenizer)


@pytest.mark.parametrize("content", ["1 < 2 > 0", "<b>bold</b>", "<|nothing|>", "s> <s", "", " "])
def test_what_only_looks_like_a_control_token_is_an_item(content: str, tokenizer: Any) -> None:
    assert content in render((Message("user", content),), "", tokenizer).text


def test_a_template_that_refuses_the_messages_is_reported(tokenizer: Any) -> None:
    strict = copy.deepcopy(tokenizer)
    strict.chat_template = "{{ raise_exception('no system role here') }}"
    with pytest.raises(ModelError, match="no system role here"):
        render(USER, "", strict)


def test_the_hash_of_a_prompt_is_that_of_its_token_ids() -> None:
    prompt = Prompt("whatever the text", (1, 20, 3))
    assert prompt.sha256 == hashlib.sha256(b"1 20 3").hexdigest()
    # Written down once: a change would orphan every hash in published tables.
    assert prompt.sha256 == "f3191f8c884058d55194912386e22188a42318ef56759c8e456c509787830cc2"


def test_hashes_tell_token_ids_apart(tokenizer: Any) -> None:
    assert Prompt("", (1, 23)).sha256 != Prompt("", (12, 3)).sha256
    first = render(USER, "Rating: ", tokenizer)
    assert first.sha256 == render(USER, "Rating: ", tokenizer).sha256
    assert first.sha256 != render(USER, "Rating:", tokenizer).sha256


def _ids(local: LocalModel, text: str) -> Sequence[int]:
    ids: Sequence[int] = local.tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


@pytest.mark.slow
def test_the_default_model_reads_one_bos_and_its_own_system_message(smollm: LocalModel) -> None:
    prompt = render(USER, "Rating: ", smollm.tokenizer)
    assert prompt.text == (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face"
        "<|im_end|>\n<|im_start|>user\nis it so?<|im_end|>\n<|im_start|>assistant\nRating: "
    )
    assert list(prompt.tokens) == list(_ids(smollm, prompt.text))
    # Its BOS is the mark of a turn: one for each of the three turns and none before.
    assert prompt.tokens.count(smollm.tokenizer.bos_token_id) == 3
    assert smollm.identity.default_system_message is not None
    assert "named SmolLM" in smollm.identity.default_system_message


@pytest.mark.slow
@pytest.mark.parametrize("token", ["<|im_end|>", "<|endoftext|>", "<repo_name>", "<file_sep>"])
def test_the_default_models_control_tokens_are_refused(token: str, smollm: LocalModel) -> None:
    assert len(_ids(smollm, token)) == 1
    with pytest.raises(ItemError, match="control token"):
        render((Message("user", f"a {token} b"),), "", smollm.tokenizer)
