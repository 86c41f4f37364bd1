// @ts-check
// Shows its children only when they belong to the browser's address; see sitekit/admin/components/address.py.
import { useLocation } from "react-router";

export function AddressGate({ shown, wait, children }) {
  const path = useLocation().pathname.replace(/(.)\/$/, "$1");
  return shown === path ? children : wait;
}
