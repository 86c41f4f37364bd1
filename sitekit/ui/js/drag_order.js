// @ts-check
// Reorders the elements of a column with the pointer. The document changes when the element is dropped; until then the
// elements are only moved by transforms.
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { shiftOf, targetOf } from "./order.js";

/** @import { PointerEvent } from "react" */
/** @import { Box } from "./order.js" */
/** @typedef {{ from: number, handle: Element, top: number, y: number }} Drag */

const EDGE = 90; // px from the top and the bottom of the window, where the page is scrolled
const SPEED = 9; // px per frame

/**
 * `elements()` returns the elements in their order; `onDrop(from, to)` gets the old and the new place of the moved one.
 *
 * `start(event, place)` handles the pointerdown event of an element's handle. While `isDragging`, the elements may be
 * smaller; each is to be moved down by `shiftOf(place)` px.
 * @param {{ elements: () => Element[], onDrop: (from: number, to: number) => void }} list
 */
export function useDragOrder({ elements, onDrop }) {
  const [drag, setDrag] = useState(/** @type {Drag | null} */ (null)); // the drag in progress
  const [place, setPlace] = useState({ to: 0, by: 0 });
  const boxes = useRef(/** @type {Box[]} */ ([]));
  const room = useRef(0); // the height of the dragged element and of a gap
  const drop = useRef(onDrop);
  useEffect(() => { drop.current = onDrop; });
  const pointer = useRef(0);

  // The elements are smaller now, so the handle is moved back under the pointer.
  useLayoutEffect(() => {
    if (!drag) return;
    scrollBy({ top: drag.handle.getBoundingClientRect().top - drag.top, behavior: "instant" });
    boxes.current = elements().map((element) => {
      const { top, height } = element.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
    const [first, second] = boxes.current;
    room.current = boxes.current[drag.from].height + second.top - first.top - first.height;
    const zero = drag.y + scrollY;
    const find = () => {
      const { to, by } = targetOf(boxes.current, drag.from, pointer.current + scrollY - zero);
      setPlace((before) => (before.to === to && before.by === by ? before : { to, by }));
      return to;
    };
    let frame = 0;
    const scroll = () => {
      const isUp = pointer.current < EDGE;
      if (isUp || pointer.current > innerHeight - EDGE) {
        scrollBy({ top: isUp ? -SPEED : SPEED, behavior: "instant" });
        find();
      }
      frame = requestAnimationFrame(scroll);
    };
    const moved = (/** @type {{ clientY: number }} */ { clientY }) => {
      pointer.current = clientY;
      find();
    };
    const end = (/** @type {boolean} */ isDropped) => {
      const to = find();
      setDrag(null);
      if (isDropped && to !== drag.from) drop.current(drag.from, to);
    };
    const up = () => end(true);
    const cancel = () => end(false);
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
    };
    find();
    frame = requestAnimationFrame(scroll);
    addEventListener("pointermove", moved);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", key, true);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", key, true);
    };
  }, [drag]);

  const start = (/** @type {PointerEvent} */ event, /** @type {number} */ from) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    pointer.current = event.clientY;
    setPlace({ to: from, by: 0 });
    setDrag({ from, handle, top: handle.getBoundingClientRect().top, y: event.clientY });
  };
  return {
    isDragging: drag !== null,
    isDragged: (/** @type {number} */ one) => drag?.from === one,
    shiftOf: (/** @type {number} */ one) => (drag ? shiftOf(one, drag.from, place, room.current) : 0),
    start,
  };
}
