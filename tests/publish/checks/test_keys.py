import pytest

from isogloss.publish.checks.keys import check, masked

LONG = "aB3" * 14
# Put together here, so that no scanner takes this file for one with secrets in it.
PLANTED = {
    "AWS key": "AKIA" + "ABCDEFGH12345678",
    "GitHub token": "ghp_" + LONG[:36],
    "GitHub token, fine": "github_pat_" + LONG,
    "GitLab token": "glpat-" + LONG[:20],
    "OpenAI or Anthropic key": "sk-" + "proj-" + LONG,
    "OpenAI or Anthropic key, other": "sk-" + "ant-api03-" + LONG,
    "Hugging Face token": "hf_" + LONG[:34],
    "Google key": "AIza" + LONG[:35],
    "Slack token": "xoxb-" + "123456789012",
    "PyPI token": "pypi-" + LONG + LONG,
    "npm token": "npm_" + LONG[:36],
    "private key": "-----BEGIN RSA PRIVATE" + " KEY-----",
    "web token": "eyJ" + LONG[:20] + ".eyJ" + LONG[:20] + "." + LONG[:20],
    "authorization": "Authorization: Basic " + LONG[:20],
    "authorization, bearer": "Bearer " + LONG,
    "password in an address": "https://ada:" + "hunter2@example.org/x",
    "called so": "api_key: " + LONG,
    "called so, in JSON": '{"secret": "' + LONG + '"}',
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_key_is_found_and_not_repeated(made, kind: str) -> None:
    made.page(f"<p>{PLANTED[kind]}</p>")
    found = made.found(check)
    assert any(f"({kind.partition(',')[0]})" in text for text in found)
    assert all(text.startswith("index.html:16: looks like a secret") for text in found)
    assert LONG[:20] not in "".join(found)


@pytest.mark.parametrize(
    "body",
    [
        f"<p>sha256 key: {'0a1b' * 16}</p>",
        f"<img alt='key' src='data:image/png;base64,{LONG * 20}'>",
        "<p>the key is internationalisation-and-more</p>",
        "<p>api_key_env: MY_KEY</p>",
        "<p>citation key: kharchenko2025 and https://example.org:8000/x</p>",
        "<p>risk-averse answers, task-oriented-communication-skills</p>",
    ],
)
def test_what_is_no_key_is_not_found(made, body: str) -> None:
    made.page(body)
    assert made.found(check) == []


def test_a_key_cut_by_markup_or_in_a_comment_is_found(made) -> None:
    token = PLANTED["GitHub token"]
    made.page(f"<pre>{token[:9]}<b>{token[9:]}</b></pre><!-- {PLANTED['AWS key']} -->")
    assert len(made.found(check)) == 2


def test_a_masked_value_tells_its_beginning_and_length() -> None:
    assert masked("ghp_" + "x" * 36) == "ghp_... (40 characters)"
