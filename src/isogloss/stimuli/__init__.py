"""Stage `stimuli`: the items of a set in one form, whatever file they come from."""

from isogloss.stimuli.stage import write_items

__all__ = ["write_items"]
