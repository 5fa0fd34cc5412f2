import json

import pytest

from isogloss.score.backend import Distribution, Reply, from_stored, to_stored

FULL = Reply(
    "Rating: 4",
    "length",
    distribution=Distribution((0.1, 0.9), unseen=0.01),
    request_id="r-1",
    model="m-2",
    answered_at="2031-02-03T04:05:06Z",
    prompt_tokens=12,
    completion_tokens=3,
)


@pytest.mark.parametrize(
    "answer",
    [
        Distribution((0.125, 1e-300, 0.0)),
        Distribution((0.1 + 0.2, 1 / 3), unseen=0.02),
        Reply(""),
        Reply('with "quotes"\n', "content_filter"),
        Reply("5", prompt_tokens=0, completion_tokens=0),
        Reply("5", distribution=Distribution((0.5,))),
        FULL,
    ],
)
def test_an_answer_comes_back_from_json_as_it_was(answer: Distribution | Reply) -> None:
    text = json.dumps(to_stored(answer), allow_nan=False)
    assert from_stored(json.loads(text)) == answer


def test_what_is_stored_has_the_fields_that_summaries_look_for() -> None:
    assert to_stored(Distribution((0.5, 0.25))) == {"probabilities": (0.5, 0.25), "unseen": 0.0}
    assert to_stored(Reply("no")) == {"text": "no", "finish": "stop"}
    stored = to_stored(FULL)
    assert stored["distribution"] == {"probabilities": (0.1, 0.9), "unseen": 0.01}
    assert "probabilities" not in stored
