// @ts-check
// Changes the query parameters of the address for a field or a select of a list; see sitekit/admin/components/address.py.
import { useNavigate } from "react-router";
import { changedAddress } from "./address.js";

/**
 * A function that changes some parameters in place. It reads the address when it is called, because what another field
 * changed just now is there before this one is drawn again.
 */
export function useAddressChange() {
  const navigate = useNavigate();
  /** @param {Record<string, string | number | null>} change */
  return (change) => navigate(changedAddress(window.location, change), { replace: true, preventScrollReset: true });
}
