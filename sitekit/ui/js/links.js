// @ts-check
// Links that lead to another page.

/**
 * The link by which a click leaves this page for another one of this site, in this window; otherwise null.
 * @param {MouseEvent} event
 */
export function linkToOtherPage(event) {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null | undefined} */ (target.closest?.("a[href]"));
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.target === "_blank") return null;
  return link.origin === location.origin && link.pathname !== location.pathname ? link : null;
}
