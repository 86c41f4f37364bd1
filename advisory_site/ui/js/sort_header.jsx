// The head of a column that sorts its list; see ui/backoffice/address.py.
import { useLocation } from "react-router";
import { Th } from "@chakra-ui/react";
import { parameterOf } from "./address.js";
import { AddressLink } from "./address_link.jsx";
import { Icon } from "./icon.jsx";

const UP = "M12 19V5M6 11l6-6 6 6";
const DOWN = "M12 5v14M6 13l6 6 6-6";

export function SortHeader({ sort, label, isNumeric }) {
  const location = useLocation();
  const isSorted = parameterOf(location, "sort") === sort;
  const isDescending = isSorted && parameterOf(location, "order") === "desc";
  const change = { sort, order: isSorted && !isDescending ? "desc" : "" };
  const direction = isSorted ? (isDescending ? "descending" : "ascending") : undefined;
  return (
    <Th aria-sort={direction} isNumeric={isNumeric} scope="col" role="columnheader">
      <AddressLink change={change} className="sort-link">{label}<Icon path={isDescending ? DOWN : UP} /></AddressLink>
    </Th>
  );
}
