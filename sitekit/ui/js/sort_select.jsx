// @ts-check
// The order of a list on a phone, where its column heads are hidden; see sitekit/admin/components/address.py.
import { useLocation, useNavigate } from "react-router";
import { Select } from "@chakra-ui/react";
import { changedAddress, parameterOf } from "./address.js";

export function SortSelect({ label, options }) {
  const location = useLocation();
  const navigate = useNavigate();
  const sort = parameterOf(location, "sort");
  const wanted = sort && parameterOf(location, "order") === "desc" ? `${sort} desc` : sort;
  const choose = (event) => {
    const [sort, order = ""] = event.target.value.split(" ");
    navigate(changedAddress(window.location, { sort, order }), { replace: true, preventScrollReset: true });
  };
  return (
    <Select aria-label={label} value={options.some(([one]) => one === wanted) ? wanted : ""} onChange={choose}
      size="sm" className="sort-select">
      {options.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
    </Select>
  );
}
