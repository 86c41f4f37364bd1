"""Components whose state is the address: tabs, search, sort, filter and page are query parameters.

These components change the address, and nothing else; the page's `on_load` then reads it. So links can be shared, and
back and forward work. A change to a list starts it at its first page again.
"""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from ..scripts import script
from .chakra import CHAKRA, ROUTER

HOOKS: rx.ImportDict = {
    "react": [rx.ImportVar(tag=name) for name in ("useEffect", "useRef", "useState")],
    ROUTER: [
        rx.ImportVar(tag="Link", alias="RouterLink"),
        rx.ImportVar(tag="useLocation"),
        rx.ImportVar(tag="useNavigate"),
    ],
}


class AddressLink(rx.Component):
    """A link to this screen with some query parameters changed; an empty text removes a parameter."""

    tag = "AddressLink"
    change: rx.Var[dict[str, Any]]
    is_disabled: rx.Var[bool] = rx.Var.create(False)

    def add_imports(self) -> rx.ImportDict:
        """The router, which knows the address."""
        return HOOKS

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_CHANGED, _LINK]


class AddressTabs(rx.Component):
    """Tabs bound to the query parameter `tab`: one child for each name; an unknown name is the first."""

    tag = "AddressTabs"
    names: rx.Var[list[str]]
    labels: rx.Var[list[str]]
    label: rx.Var[str]

    def add_imports(self) -> rx.ImportDict:
        """Chakra's tabs, which know the keyboard."""
        tabs = ("Tab", "TabList", "TabPanel", "TabPanels", "Tabs")
        return HOOKS | {CHAKRA: [rx.ImportVar(tag=name, alias=f"Chakra{name}") for name in tabs]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_CHANGED, _TABS]


class SortHeader(rx.Component):
    """A column's head that sorts: once ascending, then descending, and says so to screen readers."""

    tag = "SortHeader"
    sort: rx.Var[str]
    label: rx.Var[str]
    is_numeric: rx.Var[bool] = rx.Var.create(False)

    def add_imports(self) -> rx.ImportDict:
        """The router and Chakra's head of a column."""
        return HOOKS | {CHAKRA: [rx.ImportVar(tag="Th", alias="ChakraTh")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_CHANGED, _LINK, _SORT]


class SearchBox(rx.Component):
    """A field that searches while one types: the address follows 250 ms after the last key, or at Enter."""

    tag = "SearchBox"
    label: rx.Var[str]
    clear_label: rx.Var[str]

    def add_imports(self) -> rx.ImportDict:
        """The router and Chakra's input."""
        names = ("IconButton", "Input", "InputGroup", "InputLeftElement", "InputRightElement")
        return HOOKS | {CHAKRA: [rx.ImportVar(tag=name, alias=f"Chakra{name}") for name in names]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_CHANGED, _SEARCH]


class FilterSelect(rx.Component):
    """A choice that narrows a list; the first option is 'all' and leaves the address bare."""

    tag = "FilterSelect"
    label: rx.Var[str]
    options: rx.Var[list[list[str]]]

    def add_imports(self) -> rx.ImportDict:
        """The router and Chakra's select."""
        return HOOKS | {CHAKRA: [rx.ImportVar(tag="Select", alias="ChakraSelect")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_CHANGED, _FILTER]


class AddressGate(rx.Component):
    """Its children, while `shown` is the path of the browser's address; `wait` as long as it is another.

    A page is drawn before its state has answered, so it would show what the tab looked at before.
    """

    library = script("address_gate.jsx")
    tag = "AddressGate"
    shown: rx.Var[str]
    wait: rx.Component


address_gate = AddressGate.create
address_link = AddressLink.create
address_tabs = AddressTabs.create
sort_header = SortHeader.create
search_box = SearchBox.create


def filter_select(label: str, options: Mapping[str, str]) -> rx.Component:
    """A select of options by value; the empty value is first and means all."""
    return FilterSelect.create(label=label, options=[[value, text] for value, text in options.items()])


_CHANGED = """
function changedAddress(location, change) {
  const query = new URLSearchParams(location.search);
  if (!("page" in change)) query.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value === "" || value === null) query.delete(name); else query.set(name, value);
  }
  const text = query.toString();
  return {pathname: location.pathname, search: text ? "?" + text : ""};
}

function parameterOf(location, name) {
  return new URLSearchParams(location.search).get(name) ?? "";
}
"""

_LINK = """
function AddressLink({change, isDisabled, children, ...rest}) {
  const location = useLocation();
  if (isDisabled) return jsx("span", {...rest, "aria-disabled": true}, children);
  return jsx(RouterLink, {...rest, to: changedAddress(location, change), preventScrollReset: true}, children);
}
"""

_TABS = """
function AddressTabs({names, labels, label, children}) {
  const location = useLocation();
  const navigate = useNavigate();
  const panels = Array.isArray(children) ? children : [children];
  const index = Math.max(0, names.indexOf(parameterOf(location, "tab")));
  const strip = useRef(null);
  useEffect(() => {
    // On a phone the chosen tab may lie beside the screen.
    strip.current?.querySelectorAll("[role=tab]")[index]?.scrollIntoView({block: "nearest", inline: "center"});
  }, [index]);
  const choose = (next) => {
    if (next !== index) navigate({pathname: location.pathname, search: "?tab=" + names[next]});
  };
  return jsx(ChakraTabs, {index, onChange: choose, isManual: true, className: "backoffice-tabs", id: "backoffice"},
    jsx("div", {className: "backoffice-tab-strip", ref: strip},
      jsx(ChakraTabList, {"aria-label": label}, labels.map((text, i) => jsx(ChakraTab, {key: names[i]}, text)))),
    jsx(ChakraTabPanels, null, names.map((name, i) =>
      jsx(ChakraTabPanel, {key: name, padding: 0}, i === index ? panels[i] : null))));
}
"""

_SORT = """
function SortHeader({sort, label, isNumeric}) {
  const location = useLocation();
  const isSorted = parameterOf(location, "sort") === sort;
  const isDescending = isSorted && parameterOf(location, "order") === "desc";
  const change = {sort, order: isSorted && !isDescending ? "desc" : ""};
  const direction = isSorted ? (isDescending ? "descending" : "ascending") : undefined;
  const arrow = jsx("svg", {viewBox: "0 0 24 24", className: "icon icon-small", "aria-hidden": true},
    jsx("path", {d: isDescending ? "M12 5v14M6 13l6 6 6-6" : "M12 19V5M6 11l6-6 6 6"}));
  return jsx(ChakraTh, {"aria-sort": direction, isNumeric, scope: "col", role: "columnheader"},
    jsx(AddressLink, {change, className: "sort-link"}, label, arrow));
}
"""

_SEARCH = """
function SearchBox({label, clearLabel}) {
  const location = useLocation();
  const navigate = useNavigate();
  const inAddress = parameterOf(location, "search");
  const [text, setText] = useState(inAddress);
  const timer = useRef(null);
  const sent = useRef([inAddress]);
  const here = useRef(location);
  const box = useRef(null);
  useEffect(() => { here.current = location; });
  useEffect(() => {
    // The address may follow late: what it says was then sent from here, and more has been typed since.
    const place = sent.current.indexOf(inAddress);
    sent.current = place < 0 ? [inAddress] : sent.current.slice(place);
    if (place >= 0) return;
    clearTimeout(timer.current);
    setText(inAddress);
  }, [inAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const look = (wanted) => {
    clearTimeout(timer.current);
    const search = wanted.trim();
    if (search === sent.current.at(-1)) return;
    sent.current.push(search);
    navigate(changedAddress(here.current, {search}), {replace: true, preventScrollReset: true});
  };
  const type = (event) => {
    const wanted = event.target.value;
    setText(wanted);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => look(wanted), 250);
  };
  const clear = () => { setText(""); look(""); box.current?.focus(); };
  const keys = (event) => {
    if (event.key === "Enter") look(text);
    if (event.key === "Escape" && text) { event.preventDefault(); clear(); }
  };
  const glass = jsx("svg", {viewBox: "0 0 24 24", className: "icon icon-small", "aria-hidden": true},
    jsx("path", {d: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.3 15.3 20.5 20.5"}));
  const cross = jsx("svg", {viewBox: "0 0 24 24", className: "icon icon-small", "aria-hidden": true},
    jsx("path", {d: "M6 6l12 12M18 6 6 18"}));
  return jsx(ChakraInputGroup, {className: "search-box"},
    jsx(ChakraInputLeftElement, {pointerEvents: "none"}, glass),
    jsx(ChakraInput, {ref: box, type: "text", role: "searchbox", inputMode: "search", enterKeyHint: "search",
      maxLength: 200, autoComplete: "off", "aria-label": label, placeholder: label, value: text,
      onChange: type, onKeyDown: keys}),
    text ? jsx(ChakraInputRightElement, null,
      jsx(ChakraIconButton, {"aria-label": clearLabel, variant: "ghost", size: "sm", icon: cross, onClick: clear}))
      : null);
}
"""

_FILTER = """
function FilterSelect({label, options}) {
  const location = useLocation();
  const navigate = useNavigate();
  const choose = (event) => navigate(
    changedAddress(location, {filter: event.target.value}), {replace: true, preventScrollReset: true});
  const wanted = parameterOf(location, "filter");
  const value = options.some(([one]) => one === wanted) ? wanted : "";
  return jsx(ChakraSelect, {"aria-label": label, value, onChange: choose, className: "filter-select", width: "auto"},
    options.map(([one, text]) => jsx("option", {key: one, value: one}, text)));
}
"""
