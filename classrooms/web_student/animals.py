"""Which drawing of ``static/icons/animals.svg`` stands for an animal of the guest names."""

from __future__ import annotations

from wordlists import guest_names

DRAWINGS: dict[str, str] = {
    "fox": "fox renard loup wolf",
    "cat": "lynx panthère panther tigre tiger lion",
    "bear": "panda koala ours bear",
    "rabbit": "lapin rabbit lièvre hare kangourou kangaroo",
    "mouse": "souris mouse écureuil squirrel castor beaver marmotte marmot loutre otter belette hermine badger",
    "hedgehog": "hérisson hedgehog",
    "deer": "girafe giraffe gazelle antilope antelope chamois zèbre zebra licorne unicorn",
    "owl": "hibou chouette owl",
    "bird": "hirondelle swallow mésange robin faucon falcon colombe dove mouette gull perroquet parrot alouette lark"
    " tourterelle kingfisher eagle",
    "heron": "cigogne stork héron heron cygne swan",
    "penguin": "manchot penguin puffin",
    "turtle": "tortue turtle",
    "dolphin": "dauphin dolphin phoque seal",
    "bug": "coccinelle ladybird abeille bee fourmi ant luciole firefly grillon cricket",
    "butterfly": "papillon butterfly libellule dragonfly",
    "lizard": "dragon salamandre",
}
_BY_NOUN = {noun: drawing for drawing, nouns in DRAWINGS.items() for noun in nouns.split()}


def drawing(language: str, animal: int) -> str:
    """Name of the drawing for the animal with this index; a paw for one that has none yet."""
    noun, _gender = guest_names.names(language).nouns[animal]
    return _BY_NOUN.get(noun, "paw")
