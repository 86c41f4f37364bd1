// @ts-check
// The frame that crops a picture, set by pointer and by keys; see sitekit/admin/components/picture_field.py.
import { useId, useRef } from "react";
import { WHOLE } from "./crop.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ZOOMS = { "+": 0.1, "=": 0.1, "-": -0.1 };
const FAR = 10; // percent per key with Shift
const MOST = 3; // times
const bounded = (percent) => Math.max(0, Math.min(100, Math.round(percent)));
const zoomed = (zoom) => Math.max(1, Math.min(MOST, Math.round(10 * zoom) / 10));

/** `ratio` is that of the frame's sides, `natural` has the width and height of the picture. */
export function CropFrame({ src, natural, ratio, crop, words, onCrop }) {
  const id = useId();
  const frame = useRef(null);
  const seized = useRef([0, 0]); // the pointer's distance from the middle of the frame, in pixels
  const { x, y, zoom } = crop;
  const shape = natural.width / natural.height;
  // The sides of the frame, as parts of those of the picture.
  const width = Math.min(1, ratio / shape) / zoom;
  const height = Math.min(1, shape / ratio) / zoom;
  const style = {
    insetInlineStart: `${x * (1 - width)}%`,
    insetBlockStart: `${y * (1 - height)}%`,
    inlineSize: `${100 * width}%`,
    blockSize: `${100 * height}%`,
  };
  const moved = (part, size, before) => (size < 0.999 ? bounded((100 * (part - size / 2)) / (1 - size)) : before);
  const follow = ({ currentTarget, clientX, clientY }) => {
    const box = currentTarget.getBoundingClientRect();
    const [across, down] = seized.current;
    onCrop({
      x: moved((clientX - across - box.left) / box.width, width, x),
      y: moved((clientY - down - box.top) / box.height, height, y),
      zoom,
    });
  };
  const seize = (event) => {
    const isInside = event.target === frame.current;
    // A finger beside the frame scrolls the page; only a tap moves the frame there.
    if (event.button !== 0 || (event.pointerType === "touch" && !isInside)) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    frame.current.focus({ preventScroll: true });
    const box = frame.current.getBoundingClientRect();
    seized.current = isInside
      ? [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2]
      : [0, 0];
    follow(event);
  };
  const drag = (event) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
  };
  const tap = (event) => {
    if (event.pointerType !== "touch" || event.target === frame.current) return;
    seized.current = [0, 0];
    follow(event);
  };
  const press = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [across, down] = STEPS[event.key] ?? [0, 0];
    const more = ZOOMS[event.key] ?? 0;
    if (!across && !down && !more && event.key !== "Home") return;
    event.preventDefault();
    const far = event.shiftKey ? FAR : 1;
    const next = { x: bounded(x + far * across), y: bounded(y + far * down), zoom: zoomed(zoom + more) };
    onCrop(event.key === "Home" ? WHOLE : next);
  };
  const said = words.value.replace("{x}", x).replace("{y}", y).replace("{zoom}", zoom);
  return (
    <div className="crop">
      <div className="crop-picture" style={{ aspectRatio: `${shape}`, maxInlineSize: `calc(16rem * ${shape})` }}
        onPointerDown={seize} onPointerMove={drag} onPointerUp={tap}>
        <img src={src} alt="" draggable={false} />
        <span ref={frame} className="crop-frame" style={style} role="slider" tabIndex={0} aria-label={words.frame}
          aria-describedby={`${id}-hint`} aria-valuemin={0} aria-valuemax={100} aria-valuenow={x} aria-valuetext={said}
          onKeyDown={press} />
      </div>
      <label className="crop-zoom">
        {words.zoom}
        <input type="range" min="1" max={MOST} step="0.1" value={zoom} aria-valuetext={words.times.replace("{zoom}", zoom)}
          onChange={({ target }) => onCrop({ x, y, zoom: zoomed(Number(target.value)) })} />
      </label>
      <p id={`${id}-hint`} className="crop-hint">{words.hint}</p>
    </div>
  );
}
