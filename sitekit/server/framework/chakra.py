"""The only importer of reflex_chakra, which is for older versions of Reflex and is patched here for this one.

Version 0.8.2.post1 imports a name that Reflex 0.10.1 has renamed, copies a colour mode script into the assets, and puts
its provider around every page of an app.
"""

import shutil
from unittest.mock import patch

from reflex.utils import types
from reflex_base.utils.types import typehint_issubclass

# Before the import, which needs it.
types._issubclass = typehint_issubclass

# At its import, and for every component, it would copy a colour mode script, which we do not use, into the assets of
# the working folder, unless that is its own folder.
with patch.object(shutil, "copy"):
    from reflex_chakra.components import base
    from reflex_chakra.components.overlay.menu import Menu, MenuDivider, MenuItem
base.constants.ASSETS_DIR_NAME = str(base.constants.ASSETS_DIR)

# Without these lines every page of the site, public ones included, would load Chakra and its provider.
# What replaces a method cannot be typed as one.
base.ChakraComponent._get_app_wrap_components = staticmethod(dict)  # type: ignore[method-assign]
base.ChakraProvider._get_app_wrap_components = staticmethod(dict)  # type: ignore[method-assign]

# What our own scripts import of it, at the versions that reflex_chakra is made for.
PACKAGES: list[str] = [
    str(base.ChakraComponent.library),
    "@chakra-ui/system@2.5.7",
    "framer-motion@10.16.4",
    "@emotion/styled@11.14.1",
    "@emotion/cache@11.14.0",
]

__all__ = ["PACKAGES", "Menu", "MenuDivider", "MenuItem"]
