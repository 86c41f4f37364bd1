// @ts-check
// Adds the query parameters that the address lacks; see sitekit/admin/components/address.py.
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { changedAddress, parameterOf } from "./address.js";

export function AddressDefaults({ values }) {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (Object.keys(values).every((name) => parameterOf(location, name))) return;
    navigate(changedAddress(location, values), { replace: true, preventScrollReset: true });
  }, [location, values]);
  return null;
}
