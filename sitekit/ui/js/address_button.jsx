// @ts-check
// Links that change some query parameters and look like a button or are a menu's item; see sitekit/admin/components/dialog.py.
import { Link, useLocation } from "react-router";
import { MenuItem } from "@chakra-ui/react";
import { changedAddress } from "./address.js";
import { ButtonLink } from "./controls.jsx";

export function AddressButton({ change, children, ...rest }) {
  const location = useLocation();
  return <ButtonLink {...rest} to={changedAddress(location, change)} preventScrollReset>{children}</ButtonLink>;
}

export function AddressItem({ change, children, ...rest }) {
  const location = useLocation();
  return <MenuItem {...rest} as={Link} to={changedAddress(location, change)} preventScrollReset>{children}</MenuItem>;
}
