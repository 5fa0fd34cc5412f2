"""Features of African American English: found where they are, and not in Standard English."""

import pytest

from isogloss.guises.aae import FEATURES, find_features

FOUND = [
    ("She be working late on Fridays.", "habitual_be"),
    ("The kids always be tired after practice.", "habitual_be"),
    ("My brother be cooking on Sundays.", "habitual_be"),
    ("He don't be home before six.", "zero_third_s habitual_be"),
    ("Do they be open on Sunday?", "habitual_be"),
    ("Everybody be there by noon.", "habitual_be"),
    ("People that be talking in the movies get on my nerves.", "habitual_be"),
    ("He running late again.", "zero_copula"),
    ("They gonna leave at six.", "zero_copula"),
    ("She at work right now.", "zero_copula"),
    ("He a teacher at my school.", "zero_copula"),
    ("My cousin gonna drive us.", "zero_copula"),
    ("You ready to go?", "zero_copula"),
    ("Where you at?", "zero_copula"),
    ("Where my keys?", "zero_copula"),
    ("What your name?", "zero_copula"),
    ("The kitchen clean.", "zero_copula"),
    ("My mama sick today.", "zero_copula"),
    ("My sister at the store.", "zero_copula"),
    ("They not coming tonight.", "zero_copula"),
    ("We about to eat.", "zero_copula"),
    ("She so tired.", "zero_copula"),
    ("They over there.", "zero_copula"),
    ("I didn't see nobody at the park.", "negative_concord"),
    ("They don't have no money left.", "negative_concord"),
    ("He don't never call.", "zero_third_s negative_concord"),
    ("Nobody don't know the answer.", "negative_concord zero_third_s"),
    ("Can't nobody beat her time.", "negative_concord"),
    ("We don't live there no more.", "negative_concord"),
    ("I ain't going.", "aint"),
    ("It ain't nothing in the fridge.", "existential_it aint negative_concord"),
    ("He done already finished it.", "completive_done"),
    ("I done told you twice.", "completive_done"),
    ("My auntie done moved to Atlanta.", "completive_done"),
    ("She been married ten years.", "remote_been"),
    ("I been knew that.", "remote_been"),
    ("They been working here since May.", "remote_been"),
    ("We had went to the store.", "preterite_had"),
    ("She had came by yesterday.", "preterite_had"),
    ("They mama called the school.", "possessive_they"),
    ("The kids left they bikes in they yard.", "possessive_they"),
    ("It's a lot of people outside.", "existential_it"),
    ("It's some leftovers in the fridge.", "existential_it"),
    ("It's a plate in the oven for you.", "existential_it"),
    ("It was somebody at the door.", "existential_it"),
    ("We was late for church.", "was_levelling"),
    ("Was you at the game?", "was_levelling"),
    ("You was right.", "was_levelling"),
    ("I'm finna leave.", "finna"),
    ("She tryna sleep.", "zero_copula finna"),
    ("We fixing to eat.", "zero_copula finna"),
    ("Y'all coming to the cookout?", "yall zero_copula"),
    ("I might could help you Saturday.", "multiple_modals"),
    ("My mama house is on the corner.", "zero_possessive"),
    ("It is two mile from here.", "zero_plural"),
    ("Them shoes cost too much.", "demonstrative_them"),
    ("They steady talking during the show.", "zero_copula steady"),
    ("My mama and them left already.", "associative_plural"),
    ("She work at the bank.", "zero_third_s"),
    ("He always want more.", "zero_third_s"),
    ("It need a new battery.", "zero_third_s"),
    ("My grandma cook every Sunday.", "zero_third_s"),
    ("The bus come at seven.", "zero_third_s"),
    ("Do she know about it?", "zero_third_s"),
    ("He have two jobs.", "zero_third_s"),
    ("When he get home he cook dinner.", "zero_third_s"),
    ("It look good on you.", "zero_third_s"),
    ("Everybody know her.", "zero_third_s"),
    ("Marcus be working late.", "habitual_be"),
    ("It's nobody home.", "existential_it"),
    ("What you doing tonight?", "zero_copula"),
    ("The paint was for they old porch.", "possessive_they"),
    ("I stay home, because the shop don't open before noon.", "zero_third_s"),
    ("We meeting at the park after church.", "zero_copula"),
    ("It's some rice on the stove.", "existential_it"),
    ("The man upstairs don't sleep.", "zero_third_s"),
    ("It rain all day, and it get cold.", "zero_third_s"),
    ("Nobody told us nothing.", "negative_concord"),
    ("The soup ready, but they mother coming at six.", "zero_copula possessive_they"),
]
"""Sentences written for this test, with the features in each."""

STANDARD = [
    "Will she be working late?",
    "Let them be tired, and help the kids be ready on time.",
    "We suggest that he be told, and it is vital that the form be signed.",
    "Could my brother be cooking?",
    "Would everybody be there by noon?",
    "You be good now, and be careful.",
    "If need be, we can call. So be it.",
    "Whether it be rain or snow, we go.",
    "He may be home and be asleep.",
    "Is he running late again? Was she at work?",
    "Are they gonna leave? He's gonna be fine.",
    "As she worked in the kitchen, they at the same time cleaned the yard.",
    "They fine drivers who speed. They open the shop at six.",
    "We clean the room and they right the boat.",
    "He, working late, missed the bus.",
    "I saw my brother working at the store.",
    "My brother working late was a surprise.",
    "My friend in Atlanta, Tom, called.",
    "The people at the store closed it early.",
    "Give you a call, and I like you working here.",
    "The next day he the more willingly left.",
    "She the next day went home.",
    "I want to know where you are and what you need.",
    "I didn't see anybody at the park, and nobody called.",
    "They don't have any money left; no one does.",
    "He will not take no for an answer.",
    "It was no longer there, and I had no doubt.",
    "That doesn't mean nothing happened.",
    "He did not leave for no reason.",
    "She isn't the one who said nothing.",
    "I couldn't sleep, so no coffee for me.",
    "He has already done the work. What have you done?",
    "The work done improved results. I've done needed repairs.",
    "She has been married ten years. Have they been working here? Where have you been?",
    "Had it not been for her, we had been lost.",
    "We had gone to the store. She had come by and had seen it.",
    "They called the school, and they house refugees.",
    "It's a lot of fun. It's a lot of money. It's some of the best food.",
    "It's a job in the city. It was a project in Leeds. It's nothing in comparison.",
    "We were late, and you were right. It was they who called. What helped you was sleep.",
    "Seeing you was great.",
    "I'm trying to leave. A fixing to the wall failed.",
    "I might be able to help you in May. May can be cold.",
    "My mother's house is on the corner.",
    "It is two miles from here. She has a ten year plan and a five dollar bill.",
    "Give them books and tell them people came.",
    "They are talking. A steady growing demand.",
    "It was between my brother and them.",
    "She works at the bank, and does she like it?",
    "Does he always want more? Did she ever say why?",
    "We insist that she take it. I recommend he call first.",
    "Let it go. Make it work. Help it grow. See it happen.",
    "My wife and she work here. Either he or she work nights.",
    "He put it there and she read it. He let it go.",
    "Not only does he work there, but so can she go.",
    "Should he want it, let him know.",
    "The school run by nuns is old. The bus left at seven.",
    "What matters to you is time. That feels right. Those look good. His looks fine.",
    "The tired dog looks happy. I keep the food ready.",
    "I hope everybody knows her. Does everybody know?",
    "Do you know where the store is? Where the road ends, turn left.",
    "There is nobody home. They said that that was fine.",
    "Is there anything you like? As far as he can see, it is fine.",
    "Why don't you and he come over? Do he and his wife know?",
    "Rather than he going, she went. The way they talk is nice.",
    "That is what she said they need.",
    "Two hundred mile runs. He runs a 5 mile race.",
    "Neither he nor she the manager of the store.",
    "I can't help you, no matter what. It isn't over, not now or ever.",
    "He never said no. I have never had any problem.",
    "People need time. Everyone here helps.",
    "Everybody in the room stood up.",
    "Most people like it. You need to see the doctor.",
    "The more you know, the better it gets.",
    "It hurt. It cost a lot. It set them back.",
    "Both my brother and my sister live there.",
    "My brother and sister want to visit.",
    "My parents don't eat there. My kids want pizza.",
    "People who do that don't call. Things that don't work get fixed.",
    "How does it feel? What made it stop? Why did it take so long?",
    "I'd rather he stay home. God save it.",
    "It being late, we left. He having left, we ate.",
    "Their mama called. They mostly mother themselves.",
    "It need not be late. We worried about it, tired of it, and they closed at five.",
    "Isn't it sad to cook for nobody? The poor don't ask, and the team don't either.",
    "The people next door don't call, and the kids upstairs don't sleep.",
    "The food I keep and the more I read, the better. Nobody said no.",
    "The soup's ready, but the man upstairs isn't. My mama's sick, and she's at home.",
    "They met at the old house, and they sang old songs.",
]
"""Standard English, each line near one of the features."""

MISSED = [
    "Marcus tired.",
    "Keisha and them outside.",
    "Malik walk there yesterday.",
    "She had called me, and then she left.",
    "Dey house is on the corner.",
]
"""African American English that the rules leave alone: names, pasts, respellings."""


def devices(text: str) -> set[str]:
    return {marker.device for marker in find_features(text)}


@pytest.mark.parametrize(("text", "wanted"), FOUND)
def test_features_are_found(text: str, wanted: str) -> None:
    assert devices(text) == set(wanted.split())


def test_every_feature_is_tested() -> None:
    assert {name for _, wanted in FOUND for name in wanted.split()} == set(FEATURES)


@pytest.mark.parametrize("text", STANDARD)
def test_standard_english_holds_none(text: str) -> None:
    assert find_features(text) == ()


@pytest.mark.parametrize("text", MISSED)
def test_what_cannot_be_told_is_left_alone(text: str) -> None:
    assert find_features(text) == ()


def test_markers_stand_where_the_text_is() -> None:
    text = "👍 Well, they finna move, and she ain’t told nobody."
    found = find_features(text)
    assert [(m.device, m.text) for m in found] == [
        ("zero_copula", "they finna"),
        ("finna", "finna"),
        ("aint", "ain’t"),
        ("negative_concord", "nobody"),
    ]
    assert all(text[m.start : m.end] == m.text for m in found)


def test_a_feature_does_not_run_across_punctuation() -> None:
    assert find_features("She, at work, called. He. Late again?") == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I ain't never had no trouble with none of them.", 3),
        ("They don't know nothing. Nobody called.", 1),
        ("She didn't call, so nobody came.", 0),
    ],
)
def test_each_negative_word_of_a_clause_counts_once(text: str, wanted: int) -> None:
    assert sum(m.device == "negative_concord" for m in find_features(text)) == wanted
