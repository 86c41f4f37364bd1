"""The website of a Singapore advisory firm: public pages and back office."""

import gc

__version__ = "0.1.0"

# With Python's default of 700, 10, 10, the search for garbage takes a tenth of the time of a start, and finds hardly
# any. `observability/memory.py` sets what a running server needs.
gc.set_threshold(50_000, 20, 50)
