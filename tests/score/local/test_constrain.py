import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
import torch
from jsonschema import Draft202012Validator

from isogloss.errors import AnswerError
from isogloss.models.local import LocalModel
from isogloss.score.local.constrain import JsonConstraint, State
from isogloss.score.structured import read_object, schema_of_integer

Schema = dict[str, Any]


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


SCORE = schema_of_integer("score", 1, 12)
PERSON = {**_object(why={"type": "string", "maxLength": 6}, who={"enum": ["old", "older", 3]})}
OPEN_END = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 12}, {"const": "none"}]}


def _written(constraint: JsonConstraint, tokenizer: Any, rng: Random) -> tuple[str, State]:
    """A text drawn uniformly from what the masks allow."""
    state = constraint.start()
    tokens: list[int] = []
    while not state.finished:
        allowed = state.mask().nonzero().flatten().tolist()
        token = rng.choice(allowed)
        state.accept(token)
        tokens.append(token)
        assert len(tokens) < 500
    kept = [token for token in tokens if token != tokenizer.eos_token_id]
    return tokenizer.decode(kept), state


def _after(constraint: JsonConstraint, tokens: Sequence[int]) -> State:
    state = constraint.start()
    for token in tokens:
        state.accept(token)
    return state


# --- against every text of a schema ---------------------------------------------------------------


def _texts() -> Iterator[str]:
    for value in range(1, 13):
        yield json.dumps({"score": value})


def test_the_mask_allows_what_goes_on_to_a_valid_text_and_nothing_else(tokenizer: Any) -> None:
    constraint = JsonConstraint(SCORE, tokenizer)
    pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    ends = {tokenizer.eos_token}
    seen = set()
    for text in _texts():
        for length in range(len(text)):
            begun = text[:length]
            tokens = tokenizer.encode(begun, add_special_tokens=False)
            allowed = _after(constraint, tokens).mask()
            wanted = {p for p in pieces if any(t.startswith(begun + p) for t in _texts())} - ends
            assert {pieces[i] for i in allowed.nonzero().flatten()} == wanted
            seen.add(begun)
    assert len(seen) == 11 + 12  # beginnings of `{"score": `, then one for each number


def test_a_finished_object_ends_by_itself(tokenizer: Any) -> None:
    constraint = JsonConstraint(SCORE, tokenizer)
    tokens = tokenizer.encode('{"score": 12}', add_special_tokens=False)
    assert not _after(constraint, tokens[:-1]).finished
    state = _after(constraint, tokens)
    assert state.finished
    assert state.mask().nonzero().flatten().tolist() == [tokenizer.eos_token_id]
    state.accept(tokenizer.eos_token_id)
    assert state.finished
    with pytest.raises(AnswerError, match="may not come here"):
        state.accept(tokens[0])


def test_where_a_text_could_go_on_the_end_token_ends_it(tokenizer: Any) -> None:
    constraint = JsonConstraint(OPEN_END, tokenizer)
    (one,) = tokenizer.encode("1", add_special_tokens=False)
    state = _after(constraint, [one])
    assert not state.finished
    assert bool(state.mask()[tokenizer.eos_token_id])
    state.accept(tokenizer.eos_token_id)
    assert state.finished
    assert not bool(constraint.start().mask()[tokenizer.eos_token_id])


def test_states_of_one_constraint_do_not_know_each_other(tokenizer: Any) -> None:
    constraint = JsonConstraint(SCORE, tokenizer)
    first, second = constraint.start(), constraint.start()
    brace, quote = tokenizer.encode('{"', add_special_tokens=False)
    first.accept(brace)
    assert bool(first.mask()[quote])
    assert not bool(second.mask()[quote])
    assert bool(second.mask()[brace])


def test_every_end_token_of_the_model_ends_a_reply(tokenizer: Any) -> None:
    ends = (tokenizer.eos_token_id, tokenizer.pad_token_id)
    constraint = JsonConstraint(OPEN_END, tokenizer, end_tokens=ends)
    (nine,) = tokenizer.encode("9", add_special_tokens=False)
    for end in ends:
        state = _after(constraint, [nine])
        assert state.mask()[list(ends)].all()
        state.accept(end)
        assert state.finished


def test_outputs_without_a_token_are_never_allowed(tokenizer: Any) -> None:
    size = len(tokenizer) + 53
    state = JsonConstraint(SCORE, tokenizer, size).start()
    mask = state.mask()
    assert mask.shape == (size,)
    assert mask.dtype == torch.bool
    assert not mask[len(tokenizer) :].any()
    with pytest.raises(AnswerError, match="do not fit"):
        JsonConstraint(SCORE, tokenizer, len(tokenizer) - 1)


def test_a_token_that_the_schema_forbids_is_refused(tokenizer: Any) -> None:
    state = JsonConstraint(SCORE, tokenizer).start()
    with pytest.raises(AnswerError, match="may not come here"):
        state.accept(tokenizer.encode("1", add_special_tokens=False)[0])


def test_a_character_that_the_tokenizer_lacks_is_named_as_the_trouble(tokenizer: Any) -> None:
    assert "[" not in tokenizer.get_vocab()
    numbers = _object(all={"type": "array", "items": {"type": "integer", "maximum": 2}})
    with pytest.raises(AnswerError, match="cannot spell what the JSON schema asks for"):
        _written(JsonConstraint(numbers, tokenizer), tokenizer, Random(0))


def test_properties_are_written_in_the_schemas_order(tokenizer: Any) -> None:
    turned = {**PERSON, "properties": dict(reversed(PERSON["properties"].items()))}
    for schema, first in ((PERSON, '{"why": '), (turned, '{"who": ')):
        text, _ = _written(JsonConstraint(schema, tokenizer), tokenizer, Random(1))
        assert text.startswith(first)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({}, r"\$: does not say"),
        (_object(a={}), r"\$.properties.a: does not say"),
        (_object(a={"type": "array"}), r"\$.properties.a.items: does not say"),
        ({"type": "object"}, "leaves open which fields"),
        ({"type": ["object", "null"], "properties": {}}, "leaves open which fields"),
        (_object(a={"type": "object", "properties": {}}), r"\$.properties.a: leaves open"),
        ({**_object(), "patternProperties": {"^a": {"type": "null"}}}, "leaves open"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, r"\$.\$defs.a: leaves open"),
        ({"anyOf": [{"type": "null"}, {}]}, r"\$.anyOf\[1\]: does not say"),
        ({"type": "array", "items": {"type": "null"}, "uniqueItems": True}, "uniqueItems"),
        ({"type": "string", "not": {"const": "a"}}, '"not"'),
        ({"oneOf": [{"type": "integer"}, {"const": 1}]}, "oneOf"),
        ({"type": "string", "pattern": "^(?=a)b"}, "regex"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "Unsatisfiable"),
        ({"type": "strin"}, r"JSON schema, \$.type"),
    ],
)
def test_a_schema_that_cannot_be_enforced_is_refused(
    tokenizer: Any, schema: Schema, message: str
) -> None:
    with pytest.raises(AnswerError, match=message):
        JsonConstraint(schema, tokenizer)


# --- against a validator --------------------------------------------------------------------------


@pytest.mark.parametrize("schema", [SCORE, PERSON, OPEN_END])
def test_random_texts_are_valid(tokenizer: Any, schema: Schema) -> None:
    constraint, rng = JsonConstraint(schema, tokenizer), Random(5)
    for _ in range(50):
        text, state = _written(constraint, tokenizer, rng)
        assert state.finished
        Draft202012Validator(schema).validate(json.loads(text))


MANY: list[Schema] = [
    SCORE,
    PERSON,
    OPEN_END,
    schema_of_integer('a "quoted" name', -12, 105),
    _object(a={"type": "string", "minLength": 2, "maxLength": 9}, b={"type": ["null", "boolean"]}),
    _object(a={"type": "string", "pattern": "^[a-c]{2,4}$"}),
    _object(a={"type": "number", "minimum": -1, "exclusiveMaximum": 2.5}),
    _object(l={"type": "array", "items": {"enum": ["a", "ab", "b"]}, "minItems": 1, "maxItems": 4}),
    _object(p=_object(age={"const": "Unknown"}, sex={"$ref": "#/$defs/s"}))
    | {"$defs": {"s": {"enum": ["female", "male", 'é\n"']}}},
    {**_object(a={"type": "boolean"}, b={"type": "integer", "minimum": 0, "maximum": 300})}
    | {"required": ["b"]},
]


@pytest.mark.slow
@pytest.mark.parametrize("schema", MANY)
def test_random_texts_of_the_default_models_tokens_are_valid(
    smollm: LocalModel, schema: Schema
) -> None:
    """Drawn uniformly: bytes of many scripts, every way to spell a name, escapes."""
    tokenizer, rng = smollm.tokenizer, Random(7)
    constraint = JsonConstraint(schema, tokenizer, len(tokenizer) + 64)
    for _ in range(100):
        text, _ = _written(constraint, tokenizer, rng)
        Draft202012Validator(schema).validate(json.loads(text))


@pytest.mark.slow
def test_the_default_model_writes_what_the_schema_asks_for(smollm: LocalModel) -> None:
    """Greedy, as the generation loop does it, and read back by the parser."""
    schema = _object(why={"type": "string", "maxLength": 20}, score=SCORE["properties"]["score"])
    model, tokenizer = smollm.model, smollm.tokenizer
    chat = [{"role": "user", "content": "Rate tea from 1 to 12. Reply in JSON."}]
    text = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    tokens = tokenizer.encode(text, add_special_tokens=False)
    state = JsonConstraint(schema, tokenizer, model.config.vocab_size).start()
    written: list[int] = []
    while not state.finished:
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([[*tokens, *written]])).logits[0, -1]
        token = int(logits.masked_fill(~state.mask(), -torch.inf).argmax())
        state.accept(token)
        written.append(token)
    parsed = read_object(tokenizer.decode(written))
    assert parsed.value is not None
    Draft202012Validator(schema).validate(parsed.value)
    assert list(parsed.value) == ["why", "score"]
