// @ts-check
// Links that change some query parameters and look like a button or are a menu's item; see sitekit/admin/components/dialog.py.
import { Link, useLocation } from "react-router";
import { Button, MenuItem } from "@chakra-ui/react";
import { changedAddress } from "./address.js";

export function AddressButton({ change, children, ...rest }) {
  const location = useLocation();
  return <Button {...rest} as={Link} to={changedAddress(location, change)} preventScrollReset>{children}</Button>;
}

export function AddressItem({ change, children, ...rest }) {
  const location = useLocation();
  return <MenuItem {...rest} as={Link} to={changedAddress(location, change)} preventScrollReset>{children}</MenuItem>;
}
