"""The immutable word structures that games receive as ``words``; pure, built from the bytes of a word list."""
