from collections.abc import Mapping

from ..ttLib import TTFont

# An axis is fixed at a number, or kept between two.
def instantiateVariableFont(  # noqa: N802
    varfont: TTFont, axis_limits: Mapping[str, float | tuple[float, float]], /, *, inplace: bool
) -> TTFont: ...
