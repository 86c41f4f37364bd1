// @ts-check
// The head of a column that sorts its list; see sitekit/admin/components/address.py.
import { parameterOf, useAddress } from "./address.js";
import { AddressLink } from "./address_link.jsx";
import { Icon } from "./icon.jsx";

const ICONS = {
  ascending: "M12 19V5M6 11l6-6 6 6",
  descending: "M12 5v14M6 13l6 6 6-6",
  none: "M8 10l4-4 4 4M8 14l4 4 4-4",
};

/** `standard` is the direction of the list's own order, if this is its column; it counts while nothing else sorts. */
function directionOf(location, sort, standard) {
  const sorted = parameterOf(location, "sort");
  if (sorted === "") return standard || "none";
  if (sorted !== sort) return "none";
  return parameterOf(location, "order") === "desc" ? "descending" : "ascending";
}

export function SortHeader({ sort, label, standard, isNumeric, children }) {
  const direction = directionOf(useAddress(), sort, standard);
  const change = { sort, order: direction === "ascending" ? "desc" : "" };
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without roles, rows that are drawn as cards are no table to screen readers
    <th aria-sort={direction} data-is-numeric={isNumeric} abbr={label} scope="col" role="columnheader">
      {children}
      <AddressLink change={change} className="sort-link">{label}<Icon path={ICONS[direction]} /></AddressLink>
    </th>
  );
}

export function DefaultOrder({ children }) {
  return parameterOf(useAddress(), "sort") === "" ? children : null;
}
