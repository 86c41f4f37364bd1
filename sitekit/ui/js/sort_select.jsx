// @ts-check
// The order of a list on a phone, where its column heads are hidden; see sitekit/admin/components/address.py.
import { Select } from "./controls.jsx";
import { parameterOf, useAddress } from "./address.js";
import { useAddressChange } from "./address_change.js";

export function SortSelect({ label, options }) {
  const location = useAddress();
  const change = useAddressChange();
  const sort = parameterOf(location, "sort");
  const wanted = sort && parameterOf(location, "order") === "desc" ? `${sort} desc` : sort;
  const choose = (event) => {
    const [sort, order = ""] = event.target.value.split(" ");
    change({ sort, order });
  };
  return (
    <Select aria-label={label} value={options.some(([one]) => one === wanted) ? wanted : ""} onChange={choose}
      size="sm" className="sort-select">
      {options.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
    </Select>
  );
}
