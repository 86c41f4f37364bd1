# Reflex ships these components without py.typed, so that `rx.el`, `rx.cond` and the like would be Any.
from . import el as el
