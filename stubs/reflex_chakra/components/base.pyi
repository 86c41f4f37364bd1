from types import SimpleNamespace

from reflex_base.components.component import Component

constants: SimpleNamespace

class ChakraComponent(Component): ...
class ChakraProvider(ChakraComponent): ...
