// @ts-check
// A link that changes some query parameters and looks like a button; see sitekit/admin/components/dialog.py.
import { changedAddress, useAddress } from "./address.js";
import { ButtonLink } from "./controls.jsx";

export function AddressButton({ change, children, ...rest }) {
  const location = useAddress();
  return <ButtonLink {...rest} to={changedAddress(location, change)} preventScrollReset>{children}</ButtonLink>;
}
