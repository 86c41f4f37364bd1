// @ts-check
// What stands for the rows of a list until they have come, as many as it last had; see sitekit/admin/components/bones.py.
import { Fragment, useEffect, useState } from "react";
import { useIsHydrated } from "./address.js";

const USUAL = 5;
const YEAR = 31536000; // seconds

/** @param {string} name */
function remembered(name) {
  return Number(new RegExp(`(?:^|; )rows_${name}=([1-9]\\d*)`).exec(document.cookie)?.[1]);
}

// The server's HTML has as many as the cookie said (server/ssr/private_pages.py).
function served(/** @type {string} */ name) {
  return typeof document === "undefined" ? 0 : document.querySelectorAll(`[data-bone="${name}"]`).length;
}

/** @param {{ name: string, isLoading: boolean, count: number, children: import("react").ReactNode }} props */
export function Bones({ name, isLoading, count, children }) {
  const isHydrated = useIsHydrated();
  const [expected] = useState(() => (isHydrated ? remembered(name) : served(name)) || USUAL);
  useEffect(() => {
    if (isLoading) return;
    const secure = window.location.protocol === "https:" ? "; secure" : "";
    document.cookie = `rows_${name}=${count || 1}; path=/admin; max-age=${YEAR}; samesite=lax${secure}`;
  }, [name, isLoading, count]);
  return isLoading && Array.from({ length: expected }, (_, i) => <Fragment key={i}>{children}</Fragment>);
}
