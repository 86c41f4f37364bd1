// Reorders the elements of a column with the pointer. The document changes when the element is dropped; until then the
// elements are only moved by transforms.
import { useEffect, useLayoutEffect, useRef, useState } from "react";

const EDGE = 90; // px from the top and the bottom of the window, where the page is scrolled
const SPEED = 9; // px per frame

/**
 * `elements()` are the elements in their order, and `onDrop(from, to)` is told the place of one and its new one.
 *
 * `start(event, place)` is for the pointer that goes down on the handle of one. While `isDragging`, the elements may be
 * drawn smaller; each is drawn `shiftOf(place)` px further down.
 */
export function useDragOrder({ elements, onDrop }) {
  const [grip, setGrip] = useState(null); // what was seized: {from, handle, top, y}
  const [place, setPlace] = useState({ to: 0, by: 0 });
  const boxes = useRef([]); // top and height of each element, in px of the page
  const room = useRef(0); // how much the element and the gap beside it take
  const drop = useRef(onDrop);
  useEffect(() => { drop.current = onDrop; });
  const pointer = useRef(0);

  // The elements have shrunk by now, so move the handle back under the pointer.
  useLayoutEffect(() => {
    if (!grip) return;
    scrollBy({ top: grip.handle.getBoundingClientRect().top - grip.top, behavior: "instant" });
    boxes.current = elements().map((element) => {
      const { top, height } = element.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
    const [first, second] = boxes.current;
    room.current = boxes.current[grip.from].height + second.top - first.top - first.height;
    const zero = grip.y + scrollY;
    const find = () => {
      const { from } = grip;
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
      setGrip(null);
      if (isDropped && to !== grip.from) drop.current(grip.from, to);
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
  }, [grip]);

  const start = (event, from) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    pointer.current = event.clientY;
    setPlace({ to: from, by: 0 });
    setGrip({ from, handle, top: handle.getBoundingClientRect().top, y: event.clientY });
  };
  const isDragged = (one) => grip?.from === one;
  const shiftOf = (one) => {
    if (!grip) return 0;
    if (isDragged(one)) return place.by;
    if (one > grip.from && one <= place.to) return -room.current;
    if (one < grip.from && one >= place.to) return room.current;
    return 0;
  };
  return { isDragging: grip !== null, isDragged, shiftOf, start };
}
