// A link that changes some query parameters; see ui/backoffice/address.py.
import { Link, useLocation } from "react-router";
import { changedAddress } from "./address.js";

export function AddressLink({ change, isDisabled, children, ...rest }) {
  const location = useLocation();
  if (isDisabled) return <span {...rest} aria-disabled="true">{children}</span>;
  return <Link {...rest} to={changedAddress(location, change)} preventScrollReset>{children}</Link>;
}
