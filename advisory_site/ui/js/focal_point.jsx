// Sets the focal point of a picture by pointer and by keys; see ui/backoffice/focal_point.py.
import { useEffect, useId, useRef, useState } from "react";
import { useChange } from "./change.js";

const MIDDLE = 50;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10; // percent per key with Shift
const bounded = (percent) => Math.max(0, Math.min(100, Math.round(percent)));

export function FocalPoint({ src, width, height, x, y, label, hint, valueText, cropsLabel, crops }) {
  const [point, setPoint] = useState([Number(x), Number(y)]);
  const [left, top] = point;
  const hintId = useId();
  const handle = useRef(null);
  const inputs = [useRef(null), useRef(null)];
  // The form handles this like typing, and may fill in the stored value.
  useChange(point.join(), () => inputs[0].current.dispatchEvent(new Event("input", { bubbles: true })));
  useEffect(() => {
    const fields = inputs.map(({ current }) => current);
    const filled = ({ target }) => {
      const place = fields.indexOf(target);
      setPoint((before) => before.map((one, axis) => (axis === place ? bounded(Number(target.value)) : one)));
    };
    for (const field of fields) field.addEventListener("filled", filled);
    return () => fields.forEach((field) => field.removeEventListener("filled", filled));
  }, []);

  const follow = ({ currentTarget, clientX, clientY }) => {
    const box = currentTarget.getBoundingClientRect();
    setPoint([bounded((100 * (clientX - box.left)) / box.width), bounded((100 * (clientY - box.top)) / box.height)]);
  };
  const seize = (event) => {
    // A finger beside the point scrolls the dialog; only a tap sets the point there.
    const isScroll = event.pointerType === "touch" && event.target !== handle.current;
    if (event.button !== 0 || isScroll) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    handle.current.focus({ preventScroll: true });
    follow(event);
  };
  const drag = (event) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
  };
  const tap = (event) => {
    if (event.pointerType === "touch") follow(event);
  };
  const press = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (!step && event.key !== "Home") return;
    event.preventDefault();
    const far = event.shiftKey ? FAR : 1;
    setPoint(step ? point.map((one, axis) => bounded(one + far * step[axis])) : [MIDDLE, MIDDLE]);
  };
  const position = `${left}% ${top}%`;
  return (
    <div className="focal">
      <div className="focal-main">
        <p className="focal-label">{label}</p>
        <div className="focal-picture" style={{ aspectRatio: `${width} / ${height}`, maxWidth: `calc(20rem * ${width / height})` }}
          onPointerDown={seize} onPointerMove={drag} onPointerUp={tap}>
          <img src={src} alt="" draggable={false} />
          <span ref={handle} className="focal-point" style={{ left: `${left}%`, top: `${top}%` }} role="slider" tabIndex={0}
            aria-label={label} aria-describedby={hintId} aria-valuemin={0} aria-valuemax={100} aria-valuenow={left}
            aria-valuetext={valueText.replace("{x}", left).replace("{y}", top)} onKeyDown={press} />
        </div>
        <p id={hintId} className="focal-hint">{hint}</p>
      </div>
      <section className="focal-crops" aria-label={cropsLabel}>
        {crops.map(([shape, text]) => (
          <figure key={shape} className={`focal-crop focal-${shape}`}>
            <img src={src} alt="" style={{ objectPosition: position }} />
            <figcaption>{text}</figcaption>
          </figure>
        ))}
      </section>
      <input ref={inputs[0]} name="focal_x" value={left} readOnly hidden />
      <input ref={inputs[1]} name="focal_y" value={top} readOnly hidden />
    </div>
  );
}
