"""Pairs of English words that mean the opposite, by stem.

A small table of the opposites by which a wording of the same text can go wrong; it is not a
dictionary of antonyms.
"""

from collections.abc import Set

from isogloss.validate.stems import stem

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_OFTEN_OTHER = frozenset({"in", "im", "dis"})
_NOT_TURNED = frozenset({"cover", "count", "order", "charg", "patch", "place", "plac", "creas"})
_PAIRS = """
increase raise grow rise climb gain expand boost : decrease reduce lower cut fall drop
increase raise grow rise climb gain expand boost : decline shrink
increase raise grow gain up double : lose halve down
improve strengthen better : worsen weaken deteriorate harm hurt worse
accept approve agree welcome adopt embrace : reject refuse decline disagree deny oppose
succeed win pass : fail lose unsuccessful
start begin open launch introduce : stop end finish close halt abandon cancel
early ahead before sooner : late behind after later
fast quick rapid swift : slow
easy simple straightforward : hard difficult complex complicated tough
high big large great major : low small little minor
strong robust : weak fragile
safe secure : unsafe dangerous insecure risky
add include insert : remove exclude delete omit drop
allow permit enable let : forbid prohibit ban prevent block disable stop
buy purchase : sell
hire recruit employ : fire dismiss
join enter arrive : leave quit depart
remember : forget
love like enjoy : hate dislike loathe
true right correct accurate : false wrong incorrect inaccurate
positive good excellent : negative bad poor terrible
happy glad pleased satisfied : sad unhappy upset dissatisfied angry
hot warm : cold cool
new fresh modern : old outdated
public : private
internal inside : external outside
always : never
all every everyone everything : none nobody nothing
first : last
top : bottom
best : worst
more : less fewer
most : least fewest
young : old
rich wealthy : poor
clean tidy : dirty messy
full : empty
possible : impossible
able capable : unable incapable
legal lawful : illegal unlawful
likely : unlikely
certain sure : uncertain unsure
patient : impatient
honest : dishonest
responsible : irresponsible
careful : careless
useful helpful : useless unhelpful
experienced : inexperienced
known familiar : unknown unfamiliar
common usual : rare unusual
necessary essential required : unnecessary optional
alone : together
alive : dead
lend : borrow
push : pull
above over : below under
import : export
teach : learn
ask : answer
give : take
find : lose
send : receive
keep retain : discard lose drop
praise : criticise criticize blame
trust : distrust mistrust
support back : oppose undermine
hide conceal : reveal show disclose
win : lose
meet hit : miss
remain stay : leave
save : spend waste
attack : defend
encourage motivate : discourage demotivate
centralise centralize : decentralise decentralize
"""


def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for row in filter(None, _PAIRS.splitlines()):
        first, second = ([stem(word) for word in side.split()] for side in row.split(":"))
        for one in first:
            for other in second:
                table.setdefault(one, set()).add(other)
                table.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in table.items()}


_OPPOSITES = _table()


def opposites_among(word: str, others: Set[str]) -> frozenset[str]:
    """Return those of some stems (`stems.stem`) that mean the opposite of a stem.

    Besides the listed ones these are the stems that differ by a negating prefix (`un-`, `in-`,
    `im-`, `ir-`, `il-`, `dis-`, `non-`, `mis-`) or by `-less` in place of `-ful`.
    """
    return frozenset((_OPPOSITES.get(word, frozenset()) | _turned(word)) & others)


def _turned(word: str) -> frozenset[str]:
    bases = {word.removeprefix(p): p for p in _PREFIXES if word.startswith(p)}
    forms = {base for base, prefix in bases.items() if _may_turn(prefix, base)}
    forms |= {prefix + word for prefix in _PREFIXES if _may_turn(prefix, word)}
    if word.endswith("ful"):
        forms.add(word.removesuffix("ful") + "les")
    if word.endswith("les") and len(word) > 5:
        forms.add(word.removesuffix("les") + "ful")
    return frozenset(forms)


def _may_turn(prefix: str, base: str) -> bool:
    """Tell whether a prefix negates a stem; `into`, `improve` and `discover` are no negations."""
    return len(base) >= (5 if prefix in _OFTEN_OTHER else 4) and base not in _NOT_TURNED
