"""Syllables of an English word, counted from its spelling.

A syllable is a group of vowel letters; rules take back the silent `e` and part the groups that are
spoken as two (`me-di-a`). Held against the CMU Pronouncing Dictionary, the rules are right for 99 %
of the running words, and 98 % of the different words, in interview answers, job postings and
questions, on which the exceptions were chosen, and for 93 % of 20,000 entries drawn from the
dictionary, names among them.
"""

import re
from functools import lru_cache

_EXCEPTIONS = {
    1: "are were real ones one once there where here some come gone eyes aisle heart hearts fruit "
    "suit juice cruise bruise through though guide guides guy guys league leagues plague",
    2: "business safety senior seniors junior juniors rhythm science evening evenings colleague "
    "colleagues catalogue catalogues someone something sometimes sometime somewhere people "
    "minute minutes every different interest interests several average family families camera "
    "poem poet ruin lion lions fluid doing going seeing being moreover furthermore hereby "
    "therefore wherever somehow income forecast forecasts guidance approach",
    3: "museum museums employee employees area areas idea ideas businesses vegetable usually "
    "actually reality whatever everyone everything overcome comfortable element elements video "
    "videos familiar behavior behaviour supplier suppliers audience earlier nausea approaches",
    4: "experience experiences experienced everybody",
}
_EXCEPTION = {word: n for n, words in _EXCEPTIONS.items() for word in words.split()}
_NOT = re.compile(r"n't$")
_POSSESSIVE = re.compile(r"'s?$")
_GROUP = re.compile(r"[aeiouy]+")
_SILENT_INSIDE = re.compile(
    r"""
    (?:(?<=[aeiouy][^\Waeiouy])|(?<=[aeiouy][a-z][^\Waeiouy]))e     # man-age-ment, safe-ly
      (?=(?:ments?|ly|ful(?:ly)?|less(?:ly)?|ness|some|times?|work(?:s|ed|er|ers|ing)?|lines?
          |wares?|holders?|guards?|place|room|keep\w*|men|man|what|body|thing)$)
    | (?<=^hom)e(?=[a-z]{3}) | (?<=^hous)e(?=[hkwp]) | (?<=^whol)e(?=s) | (?<=^war)e(?=h)
    | (?<=^(?:fir|lif|car|tim|sid|nos|gat|mil))e(?=[bfgltwks][a-z]{2})
    """,
    re.VERBOSE,
)
_IQUE = re.compile(r"(?<=[^aeiou])([io])[gq]ue(?=s?$)")
_ICALLY = re.compile(r"ically$")
_ED = re.compile(r"(?<=[^\Wtd])ed$")
_ES = re.compile(r"(?<![sxzcg])(?<!sh)(?<!ch)es$")
_LE = re.compile(r"[^aeiouylrw]l(?:e[sd]?)$")
_E = re.compile(r"(?<=[^\Wl])e$|(?<=[aeiouylrw])le$")
_HIATUS = re.compile(
    r"""
    i(?:um|us$|o(?!u|n)|ety|et(?=$|s$|l)|a(?=[bst])|anc[ei]|ent(?=$|s$)(?<![tc]ient))
    | (?<![cstg])ia | (?<![csxtgln])i(?:on|ou)           # me-di-a, cham-pi-on, pre-vi-ous
    | (?<=[bdmnptv])ier(?=$|s$) | (?:ti|ci)at            # as-so-ci-ate
    | (?<![gq])u(?:al|ou|at(?!t)|ity|enc?[tey]|ar(?=$|[yis]))   # ac-tu-al, e-val-u-ate
    | eo(?!u|n|r?ge|p|$) | [aeou]ing | [aeouy]?ying      # go-ing, stud-y-ing
    | (?:[aeiouy]s|yth|eps)m(?:s?$) | [ao]is(?=m$)       # tour-is-m
    | cr(?=eat) | (?:the|cre|re(?=al[il]))a(?=t(?:r|er|e$|ed|ion)|l$|ls$|li|ct|pp|ss)
    | oe(?:m|t|r) | uel | ruin | uid(?!e) | ao(?=s|t) | iu | coo(?=p|rd) | uic(?=id) | proa
    | [aeou]ye[re]s?$ | [ao]ya                           # em-ploy-er, loy-al
    """,
    re.VERBOSE,
)


@lru_cache(maxsize=20_000)
def count_syllables(word: str) -> int:
    """Return the number of syllables of a word, at least 1.

    A figure is taken to have one for each digit, and a word of two to four capitals (`SQL`) one
    for each letter, since it is spelled out more often than not.
    """
    if any(char.isdigit() for char in word):
        return sum(char.isdigit() for char in word)
    if 2 <= len(word) <= 4 and word.isalpha() and word.isupper():
        return len(word) + 2 * word.count("W")
    plain = word.lower().replace("\u2019", "'")
    return _of_contraction(plain) if _NOT.search(plain) else _of_word(_POSSESSIVE.sub("", plain))


def _of_contraction(word: str) -> int:
    """Count `could-n't`, `is-n't`, but `don't`, `aren't`, `can't`."""
    spoken = word[-4:-3] not in set("oiaerw") and word != "can't"
    return _of_word(word.removesuffix("n't")) + spoken


def _of_word(word: str) -> int:
    if word in _EXCEPTION:
        return _EXCEPTION[word]
    whole = _ICALLY.sub("icly", _IQUE.sub(r"\1g", _SILENT_INSIDE.sub("", word)))
    stem = _without_e(whole)
    spoken_le = _LE.search(whole) is not None and not stem.endswith("e")
    return max(len(_GROUP.findall(stem)) + len(_HIATUS.findall(stem)) + spoken_le, 1)


def _without_e(word: str) -> str:
    """Take off the silent `e` of an ending, unless no vowel is left."""
    stem = _ED.sub("", word)
    if stem == word or not _GROUP.search(stem):
        stem = _ES.sub("e", word)
    shorter = _E.sub("", stem)
    return shorter if _GROUP.search(shorter) else stem
