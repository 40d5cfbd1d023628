"""The pipeline that makes ``wordlists/data`` out of pinned public packages; nothing of it is needed at run time."""
