"""Everything in the repository that a text can name: files, definitions, words of code, addresses and make targets."""

import ast
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[A-Za-z_][\w-]*")
CHAIN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")
# A text does not prove a text, and pictures have no names.
UNREAD = {".md", ".svg", ".woff2", ".png", ".ico"}
# Of a test only what it defines: it also holds names that must not exist.
DEFINED_IN_TESTS = re.compile(r"^ *(?:async def|def|class) (\w+)|^([A-Z_]+)\b", re.MULTILINE)


class KnownNames:
    """What exists, collected once from all files that git knows."""

    def __init__(self) -> None:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        self.files = [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
        self.words: set[str] = set()
        self.chains: set[str] = set()  # `a.b.c` as code reads attributes, and its ends `b.c` and `c`
        self.members: dict[str, set[str]] = defaultdict(set)  # of modules by their dotted name, of classes by theirs
        self.addresses: set[str] = set()
        self.targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
        self.set_twice: list[str] = []
        for name in self.files:
            self._read(name)

    @cached_property
    def paths(self) -> list[str]:
        """All files and folders, with a slash before them."""
        folders = {f"/{parent}" for name in self.files for parent in Path(name).parents}
        return [*(f"/{name}" for name in self.files), *sorted(folders)]

    def has_path(self, path: str) -> bool:
        """Whether a file or folder ends with a path, which may have a `*`; with `::name`, whether it defines that."""
        path, _, name = path.partition("::")
        found = [known for known in self.paths if fnmatch(known, f"*/{path.rstrip('/')}")]
        return any(not name or f"def {name}(" in (ROOT / known[1:]).read_text(encoding="utf-8") for known in found)

    def has_address(self, address: str) -> bool:
        """Whether the site has an address, with any names of its parameters, or a folder of such."""
        wanted = _pattern(address)
        return any(
            known == wanted
            or known.startswith(f"{wanted.rstrip('/')}/")
            or (known.endswith("/") and wanted.startswith(known))
            for known in self.addresses - {"/"}
        )

    def has_name(self, dotted: str) -> bool:
        """Whether code has a word, or `package.module`, `module.name`, `Class.attribute` or `value.attribute`."""
        owner, _, member = dotted.rpartition(".")
        if not owner:
            return dotted in self.words
        ends = [known for known in self.members if f".{known}".endswith((f".{owner}", f".{dotted}"))]
        return dotted in self.chains or any(known.endswith(dotted) or member in self.members[known] for known in ends)

    def names_below(self, folder: str) -> set[str]:
        """The folders and modules below a folder, and what these define."""
        names = {
            part for name in self.files if name.startswith(f"{folder}/") for part in Path(name).with_suffix("").parts
        }
        package = f"{folder.replace('/', '.')}."
        return names.union(*(self.members[module] for module in self.members if module.startswith(package)))

    def _read(self, name: str) -> None:
        path = ROOT / name
        if path.suffix in UNREAD:
            return
        text = path.read_text(encoding="utf-8")
        if path.suffix != ".py":
            self.words.update(WORD.findall(text))
            self.chains.update(CHAIN.findall(text))
        elif path.name.startswith("test_"):
            self.words.update(first or second for first, second in DEFINED_IN_TESTS.findall(text))
        else:
            self._read_module(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."), ast.parse(text))

    def _read_module(self, module: str, tree: ast.Module) -> None:
        self.words.update(module.split("."))
        counts = Counter(_defined(tree))
        self.members[module] |= set(counts)
        self.set_twice += [f"{module}.{name}" for name in counts if name.isupper() and counts[name] > 1]
        docstrings = set[ast.AST]()
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                self.members[node.name] |= set(_defined(node))
                self.members[_table_of(node)] |= set(_defined(node))
            elif isinstance(node, ast.Expr):
                docstrings.add(node.value)
            elif isinstance(node, ast.Attribute):
                self.chains.update(_chains(node))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("/"):
                self.addresses.add(_pattern(node.value))
            if node not in docstrings:
                self.words.update(_words_of(node))


def _defined(tree: ast.Module | ast.ClassDef) -> Iterator[str]:
    """The names that a module or a class defines in its body, each time that it does."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def _table_of(node: ast.ClassDef) -> str:
    """The table of a class, or its own name."""
    for line in node.body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__tablename__":
            return str(ast.literal_eval(line.value))
    return node.name


def _chains(node: ast.Attribute) -> Iterator[str]:
    """`b.c` and `a.b.c` of an attribute `a.b.c`."""
    chain: str = node.attr
    owner = node.value
    while isinstance(owner, ast.Attribute):
        chain = f"{owner.attr}.{chain}"
        yield chain
        owner = owner.value
    if isinstance(owner, ast.Name):
        yield f"{owner.id}.{chain}"


def _pattern(address: str) -> str:
    """An address with `*` for each of its parameters, which routes write `[slug]` and texts `{slug}`."""
    return re.sub(r"\[\w+\]|\{\w+\}|\.\.\.", "*", address)


def _words_of(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return [name]
        case ast.alias(name=name):
            return name.split(".")
        case ast.Constant(value=str(text)):
            return WORD.findall(text)
    return []
