// @ts-check
// Where an element is put that is moved among others.

/** @typedef {{ top: number, height: number }} Box In px of the page. */

/**
 * How far an element moves that is to move down by `wanted` px, and the index that it has then.
 * @param {Box[]} boxes All elements, in their order.
 * @param {number} from
 * @param {number} wanted
 */
export function targetOf(boxes, from, wanted) {
  const { top: start, height } = boxes[from];
  const last = boxes[boxes.length - 1];
  const by = Math.max(boxes[0].top - start, Math.min(last.top + last.height - start - height, wanted));
  const top = start + by;
  const above = boxes.slice(0, from).filter((one) => top > one.top + one.height / 2).length;
  const below = boxes.slice(from + 1).filter((one) => top + height > one.top + one.height / 2).length;
  return { to: by < 0 ? above : from + below, by };
}

/**
 * How far the element `index` moves down while the element `from` is moved to `target`.
 * @param {number} index
 * @param {number} from
 * @param {{ to: number, by: number }} target
 * @param {number} room The height of the moved element and of a gap.
 */
export function shiftOf(index, from, { to, by }, room) {
  if (index === from) return by;
  if (index > from && index <= to) return -room;
  if (index < from && index >= to) return room;
  return 0;
}

/**
 * All keys, with one moved to an index among those that are shown.
 * @param {string[]} keys
 * @param {string[]} shown
 * @param {string} key
 * @param {number} index
 */
export function withMoved(keys, shown, key, index) {
  const next = shown.filter((one) => one !== key)[index];
  const others = keys.filter((one) => one !== key);
  return next ? others.flatMap((one) => (one === next ? [key, one] : [one])) : [...others, key];
}
