"""Who may see which word lists, one condition per line."""

from __future__ import annotations

from wordlists import builtin
from wordlists.builtin import BuiltinList
from wordlists.viewer import Viewer


def visible_lists(viewer: Viewer) -> tuple[BuiltinList, ...]:
    """The lists that one may choose: the built-in ones are everybody's."""
    return builtin.all_lists()
