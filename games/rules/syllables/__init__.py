"""Syllable cards: the whole game, rules.md §2."""
