// Reorders the elements of a column with the pointer. The document changes when the element is dropped; until then the
// elements are only moved by transforms.
import { useEffect, useLayoutEffect, useRef, useState } from "react";

const EDGE = 90; // px from the top and the bottom of the window, where the page is scrolled
const SPEED = 9; // px per frame

/**
 * `elements()` returns the elements in their order; `onDrop(from, to)` gets the old and the new place of the moved one.
 *
 * `start(event, place)` handles the pointerdown event of an element's handle. While `isDragging`, the elements may be
 * smaller; each is to be moved down by `shiftOf(place)` px.
 */
export function useDragOrder({ elements, onDrop }) {
  const [drag, setDrag] = useState(null); // the drag in progress: {from, handle, top, y}
  const [place, setPlace] = useState({ to: 0, by: 0 });
  const boxes = useRef([]); // top and height of each element, in px of the page
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
      const { from } = drag;
      const all = boxes.current;
      const highest = all[0].top - all[from].top;
      const lowest = all.at(-1).top + all.at(-1).height - all[from].top - all[from].height;
      const by = Math.max(highest, Math.min(lowest, pointer.current + scrollY - zero));
      const top = all[from].top + by;
      const bottom = top + all[from].height;
      const above = all.slice(0, from).filter((one) => top > one.top + one.height / 2).length;
      const below = all.slice(from + 1).filter((one) => bottom > one.top + one.height / 2).length;
      const to = by < 0 ? above : from + below;
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
    const moved = ({ clientY }) => {
      pointer.current = clientY;
      find();
    };
    const end = (isDropped) => {
      const to = find();
      setDrag(null);
      if (isDropped && to !== drag.from) drop.current(drag.from, to);
    };
    const up = () => end(true);
    const cancel = () => end(false);
    const key = (event) => {
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

  const start = (event, from) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    pointer.current = event.clientY;
    setPlace({ to: from, by: 0 });
    setDrag({ from, handle, top: handle.getBoundingClientRect().top, y: event.clientY });
  };
  const isDragged = (one) => drag?.from === one;
  const shiftOf = (one) => {
    if (!drag) return 0;
    if (isDragged(one)) return place.by;
    if (one > drag.from && one <= place.to) return -room.current;
    if (one < drag.from && one >= place.to) return room.current;
    return 0;
  };
  return { isDragging: drag !== null, isDragged, shiftOf, start };
}
