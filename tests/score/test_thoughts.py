import pytest

from isogloss.score.thoughts import without_thoughts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4", "4"),
        ("", ""),
        ("<think>a</think> 4", " 4"),
        ("\n<THINK>a</THINK>4", "4"),
        ("<reasoning>a</reasoning>4", "4"),
        ("a</think>4", "4"),
        ("<think>a</think>4<think>b</think>5", "5"),
        ("<think></think>", ""),
        ("4\n<reasoning>a</reasoning>", "4\n\n"),
        ("4 <think>a</think> b <think>c</think>", "4 \n b \n"),
        ("a</think>4<think>b</think>5", "5"),
        ("I <think> so", "I <think> so"),
        ("<think>a", None),
        (" <thinking>a", None),
    ],
)
def test_what_follows_thoughts_is_the_reply(text: str, said: str | None) -> None:
    assert without_thoughts(text) == said
