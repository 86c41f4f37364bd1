from collections.abc import Sequence

from ..ttLib import TTFont

def addOpenTypeFeaturesFromString(font: TTFont, features: str, *, tables: Sequence[str]) -> None: ...  # noqa: N802
