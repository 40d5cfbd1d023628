"""Looks the locked packages up among known vulnerabilities; says so, and no more, where that is not reachable."""

from __future__ import annotations

import json
import subprocess
import sys

COMMAND = [sys.executable, "-m", "pip_audit", "--requirement", "requirements.txt", "--require-hashes"]
OPTIONS = ["--disable-pip", "--progress-spinner", "off", "--format", "json", "--timeout", "15"]


def main() -> int:
    done = subprocess.run([*COMMAND, *OPTIONS], capture_output=True, text=True, check=False)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except ValueError:
        reason = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        print(f"Vulnerabilities not checked: {reason[:200]}")
        return 0
    found = [(package, flaw) for package in packages for flaw in package.get("vulns", [])]
    for package, flaw in found:
        print(
            f"{package['name']} {package['version']}: {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or '-'}"
        )
    print(f"{len(packages)} packages checked, {len(found)} known vulnerabilities.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
