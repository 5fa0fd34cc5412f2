"""Sentences in African American English, each with its counterpart in Standard American English."""

PAIRS = [
    ("She be working late most nights.", "She usually works late most nights."),
    ("He tired, so he going home.", "He is tired, so he is going home."),
    ("I ain't got nothing to say to nobody.", "I don't have anything to say to anybody."),
    ("They been told you about that road.", "They told you about that road long ago."),
    ("We done finished the dishes already.", "We have already finished the dishes."),
    ("She my sister and she don't play.", "She is my sister and she doesn't play."),
    ("It's a lot of people out here today.", "There are a lot of people out here today."),
    ("Can't nobody help you with that.", "Nobody can help you with that."),
    ("He stay asking me for money.", "He is always asking me for money."),
    ("I might could help you move them boxes.", "I might be able to help you move those boxes."),
    ("That's my momma house over there.", "That's my mother's house over there."),
    ("We was finna leave when you called.", "We were about to leave when you called."),
    ("Y'all need to call they school.", "You all need to call their school."),
    ("It ain't no milk in the fridge.", "There isn't any milk in the fridge."),
]
