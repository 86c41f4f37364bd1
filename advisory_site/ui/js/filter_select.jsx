// A choice that narrows a list; see ui/backoffice/address.py.
import { useLocation, useNavigate } from "react-router";
import { Select } from "@chakra-ui/react";
import { changedAddress, parameterOf } from "./address.js";

export function FilterSelect({ label, options }) {
  const location = useLocation();
  const navigate = useNavigate();
  const choose = (event) =>
    navigate(changedAddress(location, { filter: event.target.value }), { replace: true, preventScrollReset: true });
  const wanted = parameterOf(location, "filter");
  const value = options.some(([one]) => one === wanted) ? wanted : "";
  return (
    <Select aria-label={label} value={value} onChange={choose} className="filter-select" width="auto">
      {options.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
    </Select>
  );
}
