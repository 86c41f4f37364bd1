// @ts-check
// A link that changes some query parameters; see sitekit/admin/components/address.py.
import { Link } from "react-router";
import { changedAddress, useAddress } from "./address.js";

/**
 * @param {{
 *   change: Record<string, string | number>, isDisabled?: boolean, className?: string,
 *   children: import("react").ReactNode,
 * }} props
 */
export function AddressLink({ change, isDisabled, children, ...rest }) {
  const location = useAddress();
  if (isDisabled) return <span {...rest} aria-disabled="true">{children}</span>;
  return <Link {...rest} to={changedAddress(location, change)} preventScrollReset>{children}</Link>;
}
