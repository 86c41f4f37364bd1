// @ts-check
// Reads and changes the query parameters of the address; for the components of sitekit/admin/components/address.py.
import { useSyncExternalStore } from "react";
import { useLocation } from "react-router";

const TAB = /[?&](tab=[^&]*)/;
const never = () => () => {};

/** Whether the server's HTML has been taken over, so that what is drawn may differ from it. */
export function useIsHydrated() {
  return useSyncExternalStore(never, () => true, () => false);
}

/** The address. Until the server's HTML has been taken over, it is without the parameters that the server leaves out. */
export function useAddress() {
  const location = useLocation();
  if (useIsHydrated()) return location;
  return { ...location, search: TAB.exec(location.search)?.[1].replace(/^/, "?") ?? "" };
}

/**
 * The address with some parameters changed, an empty text removing one; a list begins at its first page again.
 * @param {{ pathname: string, search: string }} location
 * @param {Record<string, string | number | null>} change
 */
export function changedAddress(location, change) {
  const query = new URLSearchParams(location.search);
  if (!("page" in change)) query.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value === "" || value === null || (name === "page" && value === 1)) query.delete(name);
    else query.set(name, String(value));
  }
  return { pathname: location.pathname, search: query.toString() };
}

/**
 * The value of a parameter, or an empty text.
 * @param {{ search: string }} location
 * @param {string} name
 */
export function parameterOf(location, name) {
  return new URLSearchParams(location.search).get(name) ?? "";
}
