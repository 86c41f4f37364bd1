"""The website of a Singapore advisory firm: public pages and back office."""

import gc
from datetime import timedelta, timezone
from pathlib import Path

from sitekit.base.site import Site, use

from .content.firm import FIRM

__version__ = "1.0.0"

# With Python's default of 700, 10, 10, the search for garbage takes a tenth of the time of a start, and finds hardly
# any. `sitekit/base/observability/memory.py` sets what a running server needs.
gc.set_threshold(50_000, 20, 50)

use(
    Site(
        brand=FIRM,
        package=__name__,
        version=__version__,
        root=Path(__file__).parents[1],
        setting_prefix="ADVISORY_",
        short_name="advisory",
        file_name="northstrait",
        zone=timezone(timedelta(hours=8)),
        zone_name="Singapore",
        trade=("founder", "partner", "advisor", "adviser", "advisory"),
    )
)
