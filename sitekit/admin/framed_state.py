"""The state of a page with a frame that shows a page of the site."""

import time
from collections.abc import Mapping

import reflex as rx

from ..base import paths
from .user_accounts import user_accounts

# In seconds: the frame stays as it is meanwhile, and has a pass that lasts when it is made anew.
PASS_USED_FOR = 300.0


class FramedState(rx.State, mixin=True):
    """Mix in before `rx.State`."""

    # The pass, what it is for, and when it was issued.
    _pass: tuple[str, dict[str, str], float] = ("", {}, 0.0)

    async def _frame_of(self, subject: Mapping[str, str]) -> str:
        """The address of a frame for a subject, which the `PreviewEndpoint` interprets."""
        issued, subject_of_pass, at = self._pass
        if subject_of_pass != subject or time.monotonic() - at > PASS_USED_FOR:
            issued = await user_accounts().issue_pass(self, subject)
            self._pass = issued, dict(subject), time.monotonic()
        return f"{paths.PREVIEW}{issued}"
