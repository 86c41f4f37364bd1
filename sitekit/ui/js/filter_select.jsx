// @ts-check
// A select that filters, sorts or pages a list; see sitekit/admin/components/address.py.
import { Select } from "./controls.jsx";
import { parameterOf, useAddress } from "./address.js";
import { useAddressChange } from "./address_change.js";

export function FilterSelect({ name, label, options, values, standard = "", isSmall }) {
  const location = useAddress();
  const change = useAddressChange();
  const wanted = parameterOf(location, name);
  const choices = values ? [...options, ...values.map((value) => [value, value])] : options;
  const isKnown = choices.some(([one]) => one === wanted);
  // A value that no record has any more still filters, so it must be shown.
  if (values && !isKnown) choices.push([wanted, wanted]);
  const choose = (event) => change({ [name]: event.target.value });
  return (
    <Select aria-label={label} value={isKnown || values ? wanted : standard} onChange={choose} size={isSmall ? "sm" : undefined}
      className="filter-select" isNarrow data-is-set={wanted !== "" && !isSmall}>
      {choices.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
    </Select>
  );
}
