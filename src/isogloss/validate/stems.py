"""Content words of an English text, and whether two of them belong to one family."""

from functools import lru_cache

from isogloss.validate.tokens import Token, tokenise

_IRREGULAR = """
arise arose arisen|bear bore borne|beat beaten|become became|begin began begun|bend bent|bet
bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought
broadcast|build built|burn burnt|buy bought|catch caught|choose chose chosen choice|cling clung
come came|cost|creep crept|cut|deal dealt|dig dug|do does did done|draw drew drawn|dream dreamt
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
fight fought|find found|fly flew flown|forbid forbade forbidden|forget forgot forgotten
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go goes went gone
grow grew grown growth|hang hung|have has had|hear heard|hide hid hidden|hit|hold held|hurt
keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|learn learnt|leave left
lend lent|let|lie lain|light lit|lose lost loss|make made|mean meant|meet met
mistake mistook mistaken|overcome overcame|oversee oversaw overseen|pay paid|prove proven proof
put|quit|read|rebuild rebuilt|redo redid redone|ride rode ridden|ring rang rung|rise rose risen
run ran|say said|see saw seen|seek sought|sell sold|send sent|set|shake shook shaken|shine shone
shoot shot|show shown|shrink shrank shrunk|shut|sing sang sung|sink sank sunk|sit sat|sleep slept
slide slid|speak spoke spoken|spend spent|spill spilt|spin spun|split|spread|spring sprang
stand stood|steal stole stolen|stick stuck|strike struck|strive strove striven|swear swore sworn
sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
think thought|throw threw thrown|understand understood|undertake undertook undertaken
wake woke woken|wear wore worn|weave wove woven|weep wept|win won|wind wound
withdraw withdrew withdrawn|write wrote written|child children|foot feet|goose geese|life lives
half halves|knife knives|leaf leaves|loaf loaves|man men|mouse mice|person people|shelf shelves
thief thieves|tooth teeth|wife wives|woman women|basis bases|crisis crises|criterion criteria
datum data|hypothesis hypotheses|good better best|bad worse worst|far further furthest|well
clarify clarification clarity|decide decision decisive|believe belief|fail failure
succeed success successful|analyse analyze analyses analysis analytic analytics|solve solution
receive receipt reception|respond response|rely relied relies reliance
easy easily ease easier easiest|vary various variety|apply application applicant
describe description|explain explanation|reduce reduction|produce production product
permit permission|expand expansion|extend extension|perceive perception|advise advice
pursue pursuit|complain complaint|deliver delivery|recover recovery|discover discovery
maintain maintenance|assist assistance|resist resistance|compare comparison|strong strength
long length|wide width|deep depth|high height|young youth|true truth|able ability|safe safety
momma mama mother mom mum|daddy father dad|kid child|folk person|colour color|behaviour behavior
use used uses using user|try tried tries|cry cried cries|dry dried dries|die died dies
lie lied lies|centre center|programme program|organise organize|favourite favorite|labour labor
licence license
"""
_SUFFIXES = """
y i er or ers ors ement ion ation ition ment al ial ual ly ally ive ative able ible abl ibl
ability ibility ful fulness ness ity ty ance ence ancy ency ant ent ic ical ically is iz isation
ization ist ism ous at ator ator ed en th ship hood ry ery age ure est iest ier ily iness fully
tion ator cy r iv ativ
"""
_FUNCTION = """
a an the this that these those such some any each every either neither both all another other
others no not nor none nothing anything something everything nobody anybody somebody everybody
noone anyone someone everyone nowhere never ever ain't aint don't won't can't n't i me my mine
myself you your yours yourself yourselves he him his himself she her hers herself it its itself we
us our ours ourselves they them their theirs themselves theirself hisself y'all yall who whom
whose which what where when why how am is are was were be been being isn't aren't wasn't weren't
do does did done doing doesn't didn't don't have has had having haven't hasn't hadn't will would
shall should can could may might must ought cannot couldn't wouldn't shouldn't mustn't won't
needn't gonna gon finna fixing tryna wanna gotta hafta imma i'm i've i'd i'll you're you've you'd
you'll he's he'd he'll she's she'd she'll it's it'd it'll we're we've we'd we'll they're they've
they'd they'll that's that'd that'll there's there're here's who's what's where's let's and or but
so yet because although though while whereas if unless until till than as since before after once
whether to of in on at by for from with without within into onto upon about above across against
along among around behind below beneath beside between beyond despite down during except inside
like near off out outside over past per through throughout toward towards under up via here there
now then too also just only even still already again quite very really so rather much many more
most less least few little lot lots bit well oh okay ok yes yeah yep nah naw please going go goes
went get gets got getting gotten one ones own same etc man bruh usually always often sometimes
ago bout
"""
_WORDS = frozenset(_FUNCTION.split())
_ENDINGS = frozenset([*_SUFFIXES.split(), ""])
_LEAST = 4


def content_words(text: str) -> tuple[Token, ...]:
    """Return the words of a text that carry content: neither function words nor single letters."""
    return tuple(token for token in tokenise(text) if is_content(token.word))


def is_content(word: str) -> bool:
    """Tell whether a word (lower case) is a content word; figures are."""
    bare = word.removesuffix("'s")
    return word not in _WORDS and bare not in _WORDS and (len(bare) > 1 or bare.isdigit())


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a word (lower case) without its inflection, so that its forms are the same string.

    Irregular forms are listed, some derived words among them (`loss` with `lose`). Stems are for
    comparing and are not words.
    """
    base = word.removesuffix("'s").replace("'", "")
    if not base.isalpha():
        return base
    return _single(_BASES.get(base) or _uninflected(base))


def is_family(first: str, second: str) -> bool:
    """Tell whether two stems are of one family: the same, or alike but for endings that derive.

    The beginning in common has at least four letters (`manag-er`, `manag-ement`). Endings that turn
    a meaning round (`-less`) are none of these. Now and then two strange words are taken for one
    family (`general`, `generate`).
    """
    if first == second:
        return True
    shared = _shared(first, second)
    return any(first[k:] in _ENDINGS and second[k:] in _ENDINGS for k in range(_LEAST, shared + 1))


def _shared(first: str, second: str) -> int:
    for i, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return i
    return min(len(first), len(second))


def _uninflected(word: str) -> str:
    """Take off an ending of inflection, and read what is left in the list of irregular forms."""
    for ending, put in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("in", "")):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and any(vowel in rest for vowel in "aeiouy"):
            found = _BASES.get(rest + put) or _BASES.get(rest + "e")
            return found or _BASES.get(_single(rest)) or _without_e(rest + put)
    if word.endswith(("ses", "xes", "zes", "ches", "shes")) and len(word) > 4:
        return _without_e(word.removesuffix("s"))
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        rest = word.removesuffix("s")
        return _BASES.get(rest) or _without_e(rest)
    return _without_e(word)


def _without_e(word: str) -> str:
    return word.removesuffix("e") if len(word) > 3 else word


def _single(word: str) -> str:
    """Return a word with a doubled last consonant made single, as all forms have it then."""
    is_doubled = len(word) > 3 and word[-1] == word[-2]
    return word[:-1] if is_doubled else word


def _listed() -> dict[str, str]:
    """Map each listed form to the stem of the first of its row."""
    rows = [row.split() for row in _IRREGULAR.replace("\n", "|").split("|") if row.strip()]
    return {form: _without_e(row[0]) for row in reversed(rows) for form in row}


_BASES = _listed()
