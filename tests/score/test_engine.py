"""The engine against one prompt at a time, computed here without caches, batches or prefixes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
import torch
from transformers import (
    Cohere2Config,
    DeepseekV3Config,
    Gemma2Config,
    GPTNeoConfig,
    Lfm2Config,
    Llama4TextConfig,
    LlamaConfig,
    MambaConfig,
    MistralConfig,
    MptConfig,
    Phi3Config,
    Qwen2Config,
    RecurrentGemmaConfig,
)

from isogloss.errors import ModelError
from isogloss.models.local import LocalModel
from isogloss.score.answers import AnswerSet, rating_scale
from isogloss.score.ask import Asker, Reading, Request, TextRequest
from isogloss.score.engine import batches, common_prefix, sibling_batches, siblings
from isogloss.score.prompts import Message

TOLERANCE = 1e-5
"""Absolute, in probability: the bound for batching, order, shared prefixes and resuming in fp32."""

AskerFactory = Callable[..., Asker]
Loader = Callable[..., LocalModel]

RATING = rating_scale(1, 5, "Rating: ")
TO_TEN = rating_scale(1, 10, "Rating: ")
DECISION = AnswerSet(
    ("advance", "advance with reservations", "do not advance"),
    (
        (" advance", " Advance"),
        (" advance with reservations", " Advance with reservations"),
        (" do not advance", " Do not advance"),
    ),
    "Decision:",
)
YES_NO = AnswerSet(("yes", "no"), (("YES", "Yes", "yes"), ("NO", "No", "no")), "")
RUBRIC = "Rate this answer from 1 to 5, weighing how clear it is. "


def _conversation(text: str) -> tuple[Message, ...]:
    return (Message("user", text),)


def _requests() -> list[Request]:
    """Prompts of many lengths, with and without a shared beginning, with every kind of answer."""
    rng = Random(3)
    answers = [RATING, TO_TEN, DECISION, YES_NO, RATING, RATING]
    texts = ["".join(rng.choices("abcdefgh ij.", k=k)) for k in (1, 2, 5, 17, 60, 61, 90, 133)]
    shared = [
        Request(_conversation(RUBRIC + text), answers[i % len(answers)], group="shared")
        for i, text in enumerate(texts)
    ]
    stem = "abcdefgh. " * 4
    family = ["x", "x" * 20 + "y", "x" * 20 + "z", "x" * 20 + "z" * 18 + "a", "x" * 20 + "z" * 18]
    siblings = [
        Request(_conversation(RUBRIC + stem + text), RATING, group="shared") for text in family
    ]
    system = (Message("system", "be brief."), *_conversation("who is it?"))
    turns = (*_conversation("hello"), Message("assistant", "hi"), Message("user", "so?"))
    alone = [
        Request(system, TO_TEN, group="alone"),
        Request(turns, YES_NO, reply="Reason: it is so.\n", group="alone"),
        Request(_conversation("a"), DECISION, group="lonely"),
    ]
    return shared + siblings + alone


def _ids(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _chat(tokenizer: Any, messages: Sequence[Message], reply: str) -> str:
    turns = [{"role": m.role, "content": m.content} for m in messages]
    text: str = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    return text + reply


@torch.no_grad()
def _log_probability(model: Any, start: list[int], rest: list[int]) -> float:
    """Sum of log P(token | all before it) over `rest`, from one plain pass over everything."""
    logits = model(input_ids=torch.tensor([start + rest]), use_cache=False).logits[0].double()
    logs = torch.log_softmax(logits, dim=-1)
    return math.fsum(float(logs[len(start) - 1 + i, token]) for i, token in enumerate(rest))


def reference(local: LocalModel, request: Request) -> list[float]:
    """Probability of each label: every string scored alone, longer strings taken off shorter."""
    tokenizer = local.tokenizer
    text = _chat(tokenizer, request.messages, request.reply + request.answers.reply_prefix)
    start = _ids(tokenizer, text)
    spelled = {
        tuple(_ids(tokenizer, text + variant)[len(start) :]): label
        for label, variants in enumerate(request.answers.variants)
        for variant in variants
    }
    totals = [0.0] * len(request.answers.labels)
    own: dict[tuple[int, ...], float] = {}
    for tokens in sorted(spelled, key=len, reverse=True):
        longer = [p for other, p in own.items() if other[: len(tokens)] == tokens]
        whole = math.exp(_log_probability(local.model, start, list(tokens)))
        own[tokens] = whole - math.fsum(longer)
        totals[spelled[tokens]] += own[tokens]
    return totals


def _raw(reading: Reading) -> list[float]:
    assert reading.probabilities is not None
    assert reading.answer_mass is not None
    return [reading.answer_mass * share for share in reading.probabilities]


def _gap(got: Sequence[Reading], wanted: Sequence[Sequence[float]]) -> float:
    pairs = zip(got, wanted, strict=True)
    return max(abs(a - b) for r, w in pairs for a, b in zip(_raw(r), w, strict=True))


# --- pure parts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sequences", "length"),
    [
        ([(1, 2, 3), (1, 2, 4), (1, 2, 3, 5)], 2),
        ([(1, 2), (1, 2, 3)], 1),
        ([(1, 2, 3), (1, 2, 3)], 2),
        ([(1,), (1, 2, 3)], 0),
        ([(2, 1), (1, 1)], 0),
        ([(1, 2, 3)], 0),
        ([(10, 2, 9), (10, 2, 11), (10, 30, 1)], 1),
    ],
)
def test_common_prefix_leaves_each_sequence_a_token(
    sequences: list[tuple[int, ...]], length: int
) -> None:
    assert common_prefix(sequences) == length


def test_common_prefix_equals_a_plain_comparison() -> None:
    rng = Random(0)
    for _ in range(300):
        sequences = [tuple(rng.choices((1, 2), k=rng.randint(1, 6))) for _ in range(3)]
        shortest = min(len(s) for s in sequences)
        same = 0
        while same < shortest - 1 and len({s[same] for s in sequences}) == 1:
            same += 1
        assert common_prefix(sequences) == same


@pytest.mark.parametrize("batch_tokens", [1, 7, 20, 1000])
def test_batches_hold_every_index_once_within_the_bound(batch_tokens: int) -> None:
    lengths = [3, 9, 1, 9, 4, 12, 2]
    made = list(batches([(7,) * length for length in lengths], batch_tokens))
    assert sorted(i for batch in made for i in batch) == list(range(len(lengths)))
    for batch in made:
        padded = len(batch) * max(lengths[i] for i in batch)
        assert padded <= batch_tokens or len(batch) == 1
    longest = [max(lengths[i] for i in batch) for batch in made]
    assert longest == sorted(longest, reverse=True)


def _tree(rng: Random, count: int) -> list[tuple[int, ...]]:
    """Sequences of which many begin with the whole of another, or with a long part of it."""
    made: list[tuple[int, ...]] = []
    for _ in range(count):
        old = rng.choice(made) if made else ()
        made.append(old[: rng.randint(0, len(old))] + (rng.randint(1, 3),) * rng.randint(1, 30))
    return made


def test_siblings_hold_every_tail_once_and_share_what_they_say() -> None:
    rng = Random(4)
    shared = 0
    for _ in range(200):
        tails = _tree(rng, 8)
        groups = siblings(tails)
        assert sorted(i for _, group in groups for i in group) == list(range(len(tails)))
        for length, group in groups:
            assert len({tails[i][:length] for i in group}) == 1
            assert all(len(tails[i]) > length for i in group)
            shared += length > 0
    assert shared > 100


@pytest.mark.parametrize("batch_tokens", [1, 40, 10_000])
def test_sibling_batches_hold_every_index_once_within_the_bound(batch_tokens: int) -> None:
    tails = _tree(Random(5), 30)
    made = list(sibling_batches(tails, batch_tokens))
    assert sorted(i for batch in made for i in batch) == list(range(len(tails)))
    for batch in made:
        assert sum(len(tails[i]) for i in batch) <= batch_tokens or len(batch) == 1
    assert (len(made) == 1) == (batch_tokens == 10_000)


# --- distributions ------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ["llama", "gpt2", "qwen2"])
def test_every_way_of_scoring_equals_one_prompt_at_a_time(
    architecture: str, tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models[architecture]
    requests = _requests()
    wanted = [reference(local, request) for request in requests]
    assert max(max(row) for row in wanted) > 1e-3  # else the comparison would say nothing
    for batch_tokens in (1, 100, 1_000_000):
        got = asker_for(local, batch_tokens=batch_tokens).score(requests, "all")
        assert _gap(got, wanted) < TOLERANCE, f"batch_tokens {batch_tokens}"
    backwards = asker_for(local).score(requests[::-1], "all")
    assert _gap(backwards[::-1], wanted) < TOLERANCE
    ungrouped = [replace(r, group=str(i)) for i, r in enumerate(requests)]
    assert _gap(asker_for(local).score(ungrouped, "all"), wanted) < TOLERANCE
    one_group = [replace(r, group="one") for r in requests]
    assert _gap(asker_for(local).score(one_group, "all"), wanted) < TOLERANCE


@pytest.mark.parametrize("split", [1, 4, 14])
def test_a_resumed_run_equals_a_whole_one(
    split: int, tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["llama"]
    requests = _requests()
    wanted = [reference(local, request) for request in requests]
    first = asker_for(local, store="kept").score(requests[:split], "begun")
    resumed = asker_for(local, store="kept").score(requests, "all")
    assert resumed[:split] == first  # stored answers come back bit for bit
    assert _gap(resumed, wanted) < TOLERANCE


def test_a_sequence_answer_is_the_sum_of_its_log_probabilities(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["llama"]
    tokenizer = local.tokenizer
    answers = AnswerSet(("YES", "NO"), (("YES",), ("NO",)), "Answer: ")
    request = Request(_conversation("is it so?"), answers)
    start = _ids(tokenizer, "<s><|user|>is it so?</s><|assistant|>Answer: ")
    assert [tokenizer.decode(i) for i in _ids(tokenizer, "YES")] == ["Y", "ES"]
    yes, es = _ids(tokenizer, "YES")
    n, o = _ids(tokenizer, "NO")
    with torch.no_grad():
        logs = [
            torch.log_softmax(
                local.model(input_ids=torch.tensor([ids])).logits[0, -1].double(), dim=0
            )
            for ids in (start, [*start, yes], [*start, n])
        ]
    by_hand = [float(logs[0][yes] + logs[1][es]), float(logs[0][n] + logs[2][o])]
    (reading,) = asker_for(local).score([request], "one")
    assert [math.log(p) for p in _raw(reading)] == pytest.approx(by_hand, abs=1e-4)


def test_one_prompt_with_two_answer_sets_and_repeated_requests(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["qwen2"]
    messages = _conversation(RUBRIC + "abc")
    requests = [Request(messages, a, group="g") for a in (RATING, TO_TEN, RATING)]
    got = asker_for(local).score(requests, "all")
    assert _gap(got, [reference(local, r) for r in requests]) < TOLERANCE
    assert got[0] == got[2]
    assert got[0].prompt_sha256 == got[1].prompt_sha256
    # `10` is taken off `1` on the longer scale only.
    assert _raw(got[0])[0] > _raw(got[1])[0]
    assert _raw(got[0])[0] == pytest.approx(_raw(got[1])[0] + _raw(got[1])[9], abs=TOLERANCE)


# --- continuations ------------------------------------------------------------------------------


def _generated(local: LocalModel, request: TextRequest, ends: Sequence[int]) -> tuple[str, bool]:
    """Text that transformers' own greedy generation writes, and whether it ended by itself."""
    tokenizer = local.tokenizer
    start = _ids(tokenizer, _chat(tokenizer, request.messages, request.reply))
    ids = local.model.generate(
        torch.tensor([start]),
        attention_mask=torch.ones(1, len(start), dtype=torch.long),
        do_sample=False,
        max_new_tokens=request.max_new_tokens,
        pad_token_id=0,
        eos_token_id=list(ends),
    )[0, len(start) :].tolist()
    stops = [i for i, token in enumerate(ids) if token in ends]
    text: str = tokenizer.decode(ids[: stops[0]] if stops else ids)
    for mark in request.stop:
        text = text.partition(mark)[0]
    return text.strip(), bool(stops)


def _greedy_text(local: LocalModel, request: TextRequest) -> tuple[str, bool]:
    return _generated(local, request, ends=(local.tokenizer.eos_token_id,))


def _text_requests(limit: int, stop: tuple[str, ...] = ()) -> list[TextRequest]:
    return [
        TextRequest(request.messages, "", limit, stop, request.group) for request in _requests()
    ]


@pytest.mark.parametrize("architecture", ["llama", "gpt2", "qwen2"])
@pytest.mark.parametrize("batch_tokens", [1, 1_000_000])
def test_greedy_continuations_equal_generate(
    architecture: str,
    batch_tokens: int,
    tiny_models: dict[str, LocalModel],
    asker_for: AskerFactory,
) -> None:
    local = tiny_models[architecture]
    requests = _text_requests(12)
    wanted = [_greedy_text(local, r)[0] for r in requests]
    assert len(set(wanted)) > len(wanted) / 2
    assert asker_for(local, batch_tokens=batch_tokens).continue_(requests, "texts") == wanted


def test_rows_of_a_batch_end_each_at_its_own_end_token(
    shape: dict[str, Any], build: Callable[..., Any], load: Loader, asker_for: AskerFactory
) -> None:
    model = build(LlamaConfig(**shape))
    with torch.no_grad():
        model.lm_head.weight[shape["eos_token_id"]] *= 2
    local = load(model)
    requests = [replace(r, group="one") for r in _text_requests(12)]
    wanted = [_greedy_text(local, r) for r in requests]
    assert {ended for _, ended in wanted} == {True, False}
    assert len({len(text) for text, _ in wanted}) > 2
    got = asker_for(local).continue_(requests, "texts")
    assert got == [text for text, _ in wanted]


def test_every_end_token_of_the_model_ends_a_text(
    shape: dict[str, Any], build: Callable[..., Any], load: Loader, asker_for: AskerFactory
) -> None:
    """Chat models often end a turn with a token that is not their tokenizer's EOS."""
    model = build(LlamaConfig(**shape))
    turn = 3
    with torch.no_grad():
        model.lm_head.weight[turn] *= 2
    model.generation_config.eos_token_id = [shape["eos_token_id"], turn]
    local = load(model)
    requests = [replace(r, group="one") for r in _text_requests(12)]
    wanted = [_generated(local, r, ends=(shape["eos_token_id"], turn)) for r in requests]
    assert {ended for _, ended in wanted} == {True, False}
    assert asker_for(local).continue_(requests, "texts") == [text for text, _ in wanted]


def test_a_stop_string_cuts_the_text_and_limits_differ_within_a_group(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models["llama"]
    whole = _greedy_text(local, _text_requests(12)[0])[0]
    stop = whole[5]
    first = _text_requests(12, (stop,))[0]
    short = replace(_text_requests(3)[1], group=first.group)
    got = asker_for(local).continue_([first, short], "texts")
    assert got[0] == whole[: whole.index(stop)].strip()
    assert got[1] == _greedy_text(local, short)[0]
    assert len(got[1]) <= 3


# --- architectures: right, or refused -------------------------------------------------------------

WINDOW = 20


@dataclass(frozen=True)
class Unusual:
    """An architecture that keeps another state than all keys and values of all tokens."""

    config: type[Any]
    changes: dict[str, Any]
    own_shape: bool = False


UNUSUAL = {
    "phi3, position code by length": Unusual(
        Phi3Config,
        {
            "sliding_window": None,
            "original_max_position_embeddings": 64,
            "rope_parameters": {
                "rope_type": "longrope",
                "rope_theta": 10000.0,
                "short_factor": [1.0] * 4,
                "long_factor": [4.0] * 4,
                "original_max_position_embeddings": 64,
            },
        },
    ),
    "mistral, window": Unusual(MistralConfig, {"sliding_window": WINDOW}),
    "phi3, window": Unusual(Phi3Config, {"sliding_window": WINDOW}),
    "gemma2, window in every second layer": Unusual(
        Gemma2Config, {"sliding_window": WINDOW, "head_dim": 8, "query_pre_attn_scalar": 8}
    ),
    "qwen2, window in the last layer": Unusual(
        Qwen2Config, {"use_sliding_window": True, "sliding_window": WINDOW, "max_window_layers": 1}
    ),
    "cohere2, window in three of four layers": Unusual(
        Cohere2Config, {"sliding_window": WINDOW, "num_hidden_layers": 4}
    ),
    "llama4, chunks": Unusual(
        Llama4TextConfig,
        {
            "attention_chunk_size": WINDOW,
            "head_dim": 8,
            "num_local_experts": 2,
            "intermediate_size_mlp": 48,
        },
    ),
    "gpt-neo, local layers": Unusual(
        GPTNeoConfig,
        {
            "hidden_size": 32,
            "num_layers": 2,
            "num_heads": 4,
            "intermediate_size": 48,
            "attention_types": [[["global", "local"], 1]],
            "window_size": WINDOW,
        },
        own_shape=True,
    ),
    "mpt, linear biases": Unusual(
        MptConfig, {"d_model": 32, "n_heads": 4, "n_layers": 2}, own_shape=True
    ),
    "mamba, state space": Unusual(
        MambaConfig, {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8}, own_shape=True
    ),
    "lfm2, convolutions": Unusual(
        Lfm2Config, {"layer_types": ["conv", "full_attention"], "conv_L_cache": 3}
    ),
    "recurrentgemma, recurrent and window": Unusual(
        RecurrentGemmaConfig,
        {"num_hidden_layers": 3, "lru_width": 32, "attention_window_size": WINDOW, "head_dim": 8},
    ),
    "deepseek3, latent keys and experts": Unusual(
        DeepseekV3Config,
        {
            "num_key_value_heads": 4,
            "kv_lora_rank": 16,
            "q_lora_rank": 16,
            "qk_rope_head_dim": 8,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "n_routed_experts": 4,
            "num_experts_per_tok": 2,
            "n_group": 2,
            "topk_group": 1,
            "moe_intermediate_size": 16,
            "first_k_dense_replace": 1,
            "n_shared_experts": 1,
        },
    ),
}


def _unusual(name: str, shape: dict[str, Any], build: Callable[..., Any]) -> Any:
    unusual = UNUSUAL[name]
    own = {key: shape[key] for key in ("vocab_size", "bos_token_id", "eos_token_id")}
    return build(unusual.config(**{**(own if unusual.own_shape else shape), **unusual.changes}))


@pytest.mark.parametrize("name", UNUSUAL)
@pytest.mark.filterwarnings("default")  # some architectures warn about missing kernels
def test_an_unusual_architecture_is_scored_right_or_refused(
    name: str,
    shape: dict[str, Any],
    build: Callable[..., Any],
    load: Loader,
    asker_for: AskerFactory,
) -> None:
    requests = _requests()[:6]
    texts = _text_requests(8)[:6]
    model = _unusual(name, shape, build)
    try:
        local = load(model, "unusual")
        readings = asker_for(local).score(requests, "all")
        written = asker_for(local).continue_(texts, "texts")
    except ModelError:
        return
    wanted = [reference(local, request) for request in requests]
    assert _gap(readings, wanted) < TOLERANCE
    assert written == [_plain_greedy(local, text) for text in texts]


@torch.no_grad()
def _plain_greedy(local: LocalModel, request: TextRequest) -> str:
    """Greedy text from whole passes only: some of these models' own caches are in question."""
    tokenizer = local.tokenizer
    ids = _ids(tokenizer, _chat(tokenizer, request.messages, request.reply))
    new: list[int] = []
    for _ in range(request.max_new_tokens):
        logits = local.model(input_ids=torch.tensor([ids + new]), use_cache=False).logits
        token = int(logits[0, -1].argmax())
        if token == tokenizer.eos_token_id:
            break
        new.append(token)
    text: str = tokenizer.decode(new)
    return text.strip()


@pytest.mark.parametrize("architecture", ["llama", "gpt2"])
@pytest.mark.parametrize("extra", [0, 1])
def test_a_prompt_longer_than_the_model_reads_is_refused(
    architecture: str, extra: int, tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    local = tiny_models[architecture]
    frame = len(_ids(local.tokenizer, _chat(local.tokenizer, _conversation(""), "Rating: 1")))
    request = Request(_conversation("a" * (512 - frame + extra)), RATING)
    asker = asker_for(local)
    if extra:
        with pytest.raises(ModelError, match="512"):
            asker.score([request], "long")
    else:
        assert _gap(asker.score([request], "fits"), [reference(local, request)]) < TOLERANCE


def test_a_continuation_longer_than_the_model_reads_is_refused(
    tiny_models: dict[str, LocalModel], asker_for: AskerFactory
) -> None:
    request = TextRequest(_conversation("a" * 480), "", 40, ())
    with pytest.raises(ModelError, match="512"):
        asker_for(tiny_models["llama"]).continue_([request], "long")


def test_a_window_that_no_prompt_leaves_changes_nothing(
    shape: dict[str, Any], build: Callable[..., Any], load: Loader, asker_for: AskerFactory
) -> None:
    requests = _requests()[:6]
    wide = {"sliding_window": 300, "head_dim": 8, "query_pre_attn_scalar": 8}
    local = load(build(Gemma2Config(**{**shape, **wide})))
    wanted = [reference(local, request) for request in requests]
    assert _gap(asker_for(local).score(requests, "all"), wanted) < TOLERANCE
    texts = _text_requests(8)[:6]
    written = asker_for(local).continue_(texts, "texts")
    assert written == [_plain_greedy(local, text) for text in texts]


# --- the default model ----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_default_model_equals_one_prompt_at_a_time(
    smollm: LocalModel, asker_for: AskerFactory
) -> None:
    requests = _requests()
    wanted = [reference(smollm, request) for request in requests]
    assert _gap(asker_for(smollm).score(requests, "all"), wanted) < TOLERANCE
    small = asker_for(smollm, batch_tokens=1, store="kept")
    assert _gap(small.score(requests[2:6], "begun"), wanted[2:6]) < TOLERANCE
    resumed = asker_for(smollm, batch_tokens=64, store="kept").score(requests[::-1], "all")
    assert _gap(resumed[::-1], wanted) < TOLERANCE
    one_group = [replace(r, group="one") for r in requests]
    assert _gap(asker_for(smollm).score(one_group, "all"), wanted) < TOLERANCE


@pytest.mark.slow
def test_the_default_model_continues_like_generate(
    smollm: LocalModel, asker_for: AskerFactory
) -> None:
    requests = [replace(r, group="one") for r in _text_requests(16, ("Rating:",))]
    wanted = [_greedy_text(smollm, r)[0] for r in requests]
    assert asker_for(smollm).continue_(requests, "texts") == wanted
