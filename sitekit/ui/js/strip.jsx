// @ts-check
// The strip of tabs and places, with a fade at each edge behind which there is more; see sitekit/admin/components/address.py.
import { useEffect, useRef } from "react";

export function Strip({ current, children }) {
  const box = useRef(null);
  useEffect(() => {
    // On a phone the current tab may be out of view. Chakra selects it only after it has drawn all.
    const frame = requestAnimationFrame(() => {
      const shown = box.current?.querySelector("[aria-selected=true], [aria-current=page]");
      shown?.scrollIntoView({ block: "nearest", inline: "center" });
    });
    return () => cancelAnimationFrame(frame);
  }, [current]);
  useEffect(() => {
    const strip = box.current;
    const mark = () => {
      strip.toggleAttribute("data-more-before", strip.scrollLeft > 1);
      strip.toggleAttribute("data-more-after", strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1);
    };
    const sizes = new ResizeObserver(mark);
    sizes.observe(strip);
    sizes.observe(strip.firstElementChild);
    strip.addEventListener("scroll", mark, { passive: true });
    return () => { sizes.disconnect(); strip.removeEventListener("scroll", mark); };
  }, []);
  return <div className="backoffice-strip" ref={box}><div className="strip-line">{children}</div></div>;
}
