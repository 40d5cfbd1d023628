"""The one shape in which benchmarks report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure. ``aim`` reads like '≥ 3' or '≤ 5' in the row's own unit; empty where nothing is promised."""

    name: str
    value: float
    unit: str = ""
    aim: str = ""

    @property
    def shown(self) -> str:
        number = f"{self.value:,.3g}" if self.value < 100 else f"{self.value:,.0f}"
        return f"{number} {self.unit}".strip()

    @property
    def verdict(self) -> str:
        if not self.aim:
            return ""
        sign, limit = self.aim.split(maxsplit=1)
        number = float(limit.split()[0])
        return "yes" if (self.value >= number if sign == "≥" else self.value <= number) else "NO"
