"""Closed and short word classes that the features are told by."""


def listed(words: str) -> frozenset[str]:
    """Return the words of a line."""
    return frozenset(words.split())


BE = listed("is are was were am isn't aren't wasn't weren't ain't aint be been being")
DO = listed("do does did don't doesn't didn't dont doesnt didnt")
HAVE = listed("have has had haven't hasn't hadn't having")
MODALS = listed(
    "can could will would shall should may might must can't couldn't won't wouldn't shan't "
    "shouldn't mightn't mustn't cannot needn't cant couldnt wont wouldnt shouldnt"
)
AUXILIARIES = BE | DO | HAVE | MODALS

SUBJECTS = listed("i he she we they")
"""Pronouns that can be nothing but subjects."""
OTHER_SUBJECTS = listed("you y'all yall it")
"""Pronouns that can be objects too; they count only where a clause begins."""
INDEFINITE = listed("everybody everyone somebody someone nobody people folks")

BINDING = listed(
    "because cause cuz when whenever if but so since while where why how what who until unless "
    "before after though although till then once"
)
"""Words after which a clause begins."""
PREPOSITIONS_TOO = listed("before after since until till but like")
"""Words that bind clauses and may as well stand before an object."""

ADVERBS = listed(
    "always usually often sometimes just still really all never already only even also probably "
    "both so too very real definitely ever almost mostly barely hardly kinda not steady normally "
    "generally typically constantly mainly currently now simply"
)
"""Adverbs that may stand between a subject and its verb or predicate."""

MANDATIVE = (
    *("suggest", "recommend", "insist", "demand", "requir", "request", "propos", "prefer", "urg"),
    *("order", "advis", "stipulat", "condition", "essential", "important", "vital", "critical"),
    *("crucial", "necessary", "imperative", "desirable", "instruct", "direct", "mandat", "motion"),
    *("rather", "wish", "ask", "ruling", "vote"),
)
"""Beginnings of words after which a bare verb is a subjunctive of Standard English."""
BINDING_BARE = listed("let lets let's lest whether")
"""Words with the same effect, whole."""

POSSESSIVES = listed("my your his her our their")
KIN = listed(
    "mama momma mom mother daddy dad father brother sister cousin auntie aunt uncle grandma "
    "grandmother granny grandpa grandfather granddaddy son daughter wife husband friend boss "
    "neighbor neighbour nephew niece homegirl homeboy roommate"
)
"""Persons, each one, that belong to somebody."""
THINGS_WITH_TIMES = listed("bus train store teacher coach doctor boss baby dog cat")

NOT_VERBS_IN_ING = listed(
    "something nothing anything everything morning evening during string bring sing ring thing "
    "king spring swing wing sling cling fling sting wring bling ping including regarding "
    "according sibling being having ceiling clothing wedding notwithstanding "
    "concerning considering interesting exciting boring ding zing"
)

ADJECTIVES = listed(
    "late tired sick hungry thirsty busy happy sad mad angry upset good nice smart funny crazy "
    "wrong scared excited nervous proud tall short old young strong quiet loud mean sweet sleepy "
    "lonely bright bored sure glad lucky early ready fine cool cute pretty ugly rich poor broke "
    "hot cold big small dirty crowded safe careful serious famous grown grateful sorry afraid "
    "alone awake asleep alive single pregnant different difficult hard easy expensive "
    "cheap full gone right great bad okay ok fast slow beautiful delicious kind healthy better "
    "worse clean dry empty cloudy grumpy crooked wet open"
)
"""Adjectives that often stand as predicates."""
VERB_TOO = listed("cool slow right better quiet hard clean dry empty open fast")
"""Of the adjectives, those that after `we` or `they` may be a verb or an adverb."""
BEHIND_ADJECTIVE = listed(
    "because cause cuz and but so when if about with at for to today now again enough as than "
    "from of in on tonight this every since until after before too though like while right yet "
    "these lately already all out up"
)
"""What may stand behind an adjective that is a predicate."""

PLACE_ADVERBS = listed("here there home outside inside upstairs downstairs")
PLACE_PREPOSITIONS = listed("at in on from")
BEHIND_PREPOSITION = listed(
    "the a my her his their they your our that this home school work church bed time vacation "
    "break town class college"
)
NOT_PLACES = listed(
    "end meantime sense way whole contrary other spot day time moment start same beginning "
    "process event case face"
)
"""Nouns with which a prepositional phrase is a set one (`in the end`)."""
NOT_PREDICATES = listed(
    "lot bit little few more less most best first same day night week moment minute time next "
    "second other last following"
)
"""Words that behind an article make an adverbial of the phrase (`the next day`)."""

FINITE = AUXILIARIES | listed(
    "went came took got gave made said saw knew thought told found left felt kept began brought "
    "wrote sat stood heard let met ran paid spoke led grew lost fell sent built understood drew "
    "broke spent rose drove bought wore chose makes takes gets goes comes says means helps needs "
    "wants keeps gives looks seems feels knows likes shows works lives thinks calls tells runs "
    "loves plays talks walks"
)
"""Words that show that a clause has a verb already; so does an ending in `ed`."""

STRONG_PAST = listed(
    "ate went told took ran left got came saw gave forgot fell broke woke gone been had did done "
    "made seen lost found bought said taken given grown fallen eaten broken written spoken known "
    "sold heard sent spent caught taught brought paid met won drank drunk drove threw flew grew "
    "wrote chose stole wore tore slept kept quit"
)
"""Pasts and participles that do not end in `ed`."""

BARE_VERBS = listed(
    "want need like love know think say go get make take come give see look seem feel live work "
    "play talk walk call ask tell try help start stop keep leave bring buy eat drink sleep drive "
    "ride wear wash clean cook watch wait stay sit stand sing dance write teach learn study pay "
    "spend save sell send meet visit move turn open close hold carry pick drop break fix build "
    "believe remember forget understand hope wish hate miss enjoy use run become bark taste smell "
    "sound cost laugh cry smile yell scream fuss act pass cheer sew lift grow plant paint travel "
    "practice practise speak answer finish end happen wake attend braid mow coach treat trust "
    "respect always-do care show hear tend fish swim preach pray worry plan mean own belong fill "
    "change check remind complain argue joke volunteer deliver commute exercise listen ring win "
    "lose throw catch pitch draw train rest share serve water iron vacuum"
) - {"cost"}
"""Common verbs whose plain form is not their past."""
CLEAR_VERBS = listed("come get go take have keep say want know make stay leave")
"""Verbs that are seldom nouns."""

DISTINCT_PRETERITES = listed(
    "went came ate took saw ran did gave drove wrote broke fell drank began knew spoke stole "
    "chose threw grew flew wore tore rode swam sang woke shook froze"
)
"""Preterites that are not the participle of their verb."""

OWNED = listed(
    "parents suitcases mama momma mom mother daddy dad father brother sister kids children cousin "
    "grandma car shoes "
    "money teacher coach apartment kitchen truck yard porch clothes homework bikes birthday job "
    "room daughter son keys lunch dinner groceries uniforms wedding backyard"
)
"""Nouns, and seldom verbs, for what people have."""
OWNED_TOO = OWNED | listed(
    "house home dog phone name own game seats church family business way table lives bags team "
    "parents friends neighborhood neighbourhood block street stuff school garden hands time work "
    "plans tickets"
)
"""The same behind a preposition, where no verb can stand."""
POSSESSED = listed(
    "house car room phone birthday job kitchen dog shoes wedding money truck apartment porch yard "
    "recipe hair place garden keys food cake coat bag back backyard barbershop shop cookout "
    "house's church name favorite favourite"
)
"""Nouns that may stand behind a person without a possessive ending."""

PLURALS_POINTED_AT = listed(
    "kids boys girls shoes people folks books things dogs cars days jeans children streets games "
    "tickets cookies bags plates chairs dishes songs stairs steps biscuits greens tomatoes leaves "
    "papers boxes"
)
BEFORE_OWNED = listed("old new own little whole favorite favourite next last first")
"""Adjectives that often stand between an owner and what is owned."""
COLLECTIVES = listed(
    "team staff family group crew band company government police public people children men women "
    "media data crowd committee board audience class majority rest elderly poor rich young old "
    "deaf blind dead folks council party club faculty press"
)
"""Singular nouns that may take a plural verb, and plurals without -s."""
MEASURES = listed("mile dollar year day week month cent hour minute")
PREPOSITIONS = listed(
    "in at to on from with for of by about over into around through under behind near after "
    "before off past during inside outside like without"
)
ARTICLES = listed("a an the")
