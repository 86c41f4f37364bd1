"""Names of devices, from what browsers call themselves."""

import re

from ..texts import UNKNOWN_DEVICE

# In this order, because each browser's User-Agent also contains the names of older browsers.
BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}


def device_name(user_agent: str) -> str:
    """Name the browser and system of a User-Agent: 'Firefox on Linux'."""
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if re.search(rf"\b{mark}\b", user_agent)), "")
    return " on ".join(part for part in (browser, system) if part) or UNKNOWN_DEVICE
