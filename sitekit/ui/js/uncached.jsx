// @ts-check
// Sets the cookie with which a shared cache lets requests pass; see sitekit/admin/components/browser.py.
import { useLayoutEffect } from "react";

const DAY = 86400;

export function Uncached() {
  useLayoutEffect(() => {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `uncached=1; path=/; max-age=${DAY}; samesite=lax${secure}`;
  }, []);
  return null;
}
