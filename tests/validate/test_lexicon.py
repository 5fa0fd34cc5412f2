from pathlib import Path

import pytest

from isogloss.errors import ItemError
from isogloss.validate.lexicon import LexiconFile, compile_lexicon, load_lexicon

GOOD = """
name: test
language: en
sources: {a1990: A reference.}
classes:
  soft:
    description: Softeners.
    sources: [a1990]
    entries:
      - perhaps
      - phrase: i do? think|guess
        not_before: [about]
"""


def write(folder: Path, content: str) -> Path:
    path = folder / "lexicon.yaml"
    path.write_text(content, encoding="utf-8")
    return path


def test_places_are_expanded_longest_first(tmp_path: Path) -> None:
    lexicon = load_lexicon(write(tmp_path, GOOD))
    phrases = [" ".join(pattern.words) for pattern in lexicon.patterns["i"]]
    assert phrases == ["i do guess", "i do think", "i guess", "i think"]
    assert lexicon.classes == ("soft",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[a1990]", "[b1991]", "class soft cites 'b1991'"),
        ("- perhaps", "- 'perhaps,'", r"classes\.soft\.entries\.0\.phrase: .*'perhaps,' is not"),
        ("- perhaps", "- maybe?", "at least one word that is not optional"),
        ("- perhaps", "- 'pe*'", "a stem needs 3 to 20 letters"),
        ("- perhaps", "- 'per*haps'", r"'per\*haps' is not a word"),
        ("not_before: [about]", "but_not: [a b]", "neither one word nor one of"),
        ("[about]", "[about it]", "neither one word nor one of"),
        ("[about]", "[<numbers>]", "neither one word nor one of"),
        ("[about]", "[on]", "entries.1.not_before.0: .*valid string"),
        ("not_before", "not_behind", "entries.1.not_behind: Extra inputs"),
        ("- perhaps", "- i guess", "'i guess' is in soft and again in soft"),
        ("sources: {a1990: A reference.}", "", "sources: Field required"),
        ("classes:", "classes: [", "not YAML"),
        (GOOD, "", "file: Input should be"),
    ],
)
def test_a_malformed_file_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(ItemError, match=message) as error:
        load_lexicon(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ItemError, match=r"absent\.yaml: the lexicon cannot be read"):
        load_lexicon(tmp_path / "absent.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9")
    with pytest.raises(ItemError, match=r"latin\.yaml: not UTF-8 at byte 9"):
        load_lexicon(tmp_path / "latin.yaml")


def test_two_classes_may_not_share_words() -> None:
    classes = {
        name: {"description": "d", "sources": ["s"], "entries": ["perhaps"]} for name in ("a", "b")
    }
    file = LexiconFile.model_validate(
        {"name": "n", "language": "en", "sources": {"s": "r"}, "classes": classes}
    )
    with pytest.raises(ItemError, match="'perhaps' is in a and again in b"):
        compile_lexicon(file)


def test_the_hedge_lexicon_has_the_four_classes(project: Path) -> None:
    lexicon = load_lexicon(project / "data" / "lexicons" / "hedges.yaml")
    assert lexicon.classes == ("lexical", "modal", "approximator", "discourse")
