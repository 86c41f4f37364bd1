// Content shown only for one query string; see ui/public/on_query.py.
import { useLocation } from "react-router";

export function OnQuery({query, children}) {
  return useLocation().search === "?" + query ? children : null;
}
