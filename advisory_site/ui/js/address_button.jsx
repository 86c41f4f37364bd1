// A link that changes some query parameters and looks like a button; see ui/backoffice/dialog.py.
import { Link, useLocation } from "react-router";
import { Button } from "@chakra-ui/react";
import { changedAddress } from "./address.js";

export function AddressButton({ change, children, ...rest }) {
  const location = useLocation();
  return <Button {...rest} as={Link} to={changedAddress(location, change)} preventScrollReset>{children}</Button>;
}
