// @ts-check
// Content shown only for one query string; see sitekit/ui/public/on_query.py.
import { useLocation } from "react-router";

export function OnQuery({query, ignored, children}) {
  const pattern = new RegExp(ignored, "i");
  const own = useLocation().search.slice(1).split("&").filter((pair) => !pattern.test(pair));
  return own.join("&") === query ? children : null;
}
