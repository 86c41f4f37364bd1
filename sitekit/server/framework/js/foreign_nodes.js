// @ts-check
// Lets React draw on where a translator or an extension has replaced its nodes: what is gone already is not removed, and
// what is inserted before it goes to the end. React itself would end with an error page (facebook/react#11538).

if (typeof Node !== "undefined") {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = /** @type {typeof removeChild} */ (function (/** @type {Node} */ child) {
    return child.parentNode === this ? removeChild.call(this, child) : child;
  });
  Node.prototype.insertBefore = /** @type {typeof insertBefore} */ (
    function (/** @type {Node} */ node, /** @type {Node | null} */ before) {
      return insertBefore.call(this, node, before?.parentNode === this ? before : null);
    }
  );
}
