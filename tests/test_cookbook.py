"""The commands of the API cookbook, run as they stand there, one after the other in one shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests import factories
from tests.stack import Stack

COOKBOOK = Path(__file__).resolve().parent.parent / "docs" / "api-cookbook.md"
BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXPECTED = re.compile(r"# → (.+)$", re.MULTILINE)
MARK = "--- block "


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_commands_of_the_cookbook_print_what_it_says(stack: Stack) -> None:
    teacher = factories.teacher()
    blocks = BLOCK.findall(COOKBOOK.read_text(encoding="utf-8"))
    assert len(blocks) > 15
    env = {"BASE": stack.url, "EMAIL": teacher.email, "PASSWORD": factories.PASSWORD}
    run = subprocess.run(
        ["bash", "-euo", "pipefail"],
        input="\n".join(f"echo '{MARK}{number}'\n{block}" for number, block in enumerate(blocks)),
        env={**os.environ, **env, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    printed = re.split(rf"^{MARK}\d+\n", run.stdout, flags=re.MULTILINE)[1:]
    assert run.returncode == 0, f"block {len(printed)}:\n{blocks[len(printed) - 1]}\n{printed[-1]}\n{run.stderr}"
    for block, lines in zip(blocks, printed, strict=True):
        for line in EXPECTED.findall(block):
            assert line.strip() in lines.splitlines(), f"{block}\nprinted\n{lines}"
