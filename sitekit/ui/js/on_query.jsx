// @ts-check
// Content shown only for one query string; see sitekit/ui/public/on_query.py.
import { useLocation } from "react-router";

export function OnQuery({query, children}) {
  return useLocation().search === "?" + query ? children : null;
}
