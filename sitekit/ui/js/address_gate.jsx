// @ts-check
// Shows its children only when they belong to the browser's address; see sitekit/admin/components/address.py.
import { useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { isLoaded, onConnection } from "$/framework/live_socket.js";

export function AddressGate({ shown, wait, children }) {
  const path = useLocation().pathname.replace(/(.)\/$/, "$1");
  // A page that was left and is opened again has the vars of the earlier visit, and would drop what is typed into them.
  const isCurrent = useSyncExternalStore(onConnection, isLoaded, () => false);
  return shown === path && isCurrent ? children : wait;
}
