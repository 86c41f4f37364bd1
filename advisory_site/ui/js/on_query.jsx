// What a page shows with one query of its address alone; ui/on_query.py says why.
import { useLocation } from "react-router";

export function OnQuery({query, children}) {
  return useLocation().search === "?" + query ? children : null;
}
