// @ts-check
// A link that changes some query parameters and looks like a button; see sitekit/admin/components/dialog.py.
import { useLocation } from "react-router";
import { changedAddress } from "./address.js";
import { ButtonLink } from "./controls.jsx";

export function AddressButton({ change, children, ...rest }) {
  const location = useLocation();
  return <ButtonLink {...rest} to={changedAddress(location, change)} preventScrollReset>{children}</ButtonLink>;
}
