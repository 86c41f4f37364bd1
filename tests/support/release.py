"""What tests of `deploy/release` share."""

import os
import pwd


def running_user() -> str:
    """The user that runs the tests; the site's commands are then run without changing the user."""
    return pwd.getpwuid(os.geteuid()).pw_name
