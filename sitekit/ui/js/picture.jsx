// @ts-check
// A picture in the size and format that suits the screen, or another one if it cannot be loaded; see sitekit/ui/browser.py.
import { useEffect, useRef, useState } from "react";
import { preload } from "react-dom";
import { cropOf, cropStyle, withoutCrop } from "./crop.js";

/** The address of an uploaded picture: the start of the names of its files, and the width of this one. */
export const UPLOADED = /^(\/media\/[0-9a-f]{32})-(\d{1,4})\.jpg$/;

// What an <img> or a <source> of one format takes: each stored size, see `sizes_of` in sitekit/records/pictures/addresses.py.
function sourceSet(start, widths, storedWidth, form) {
  const smaller = widths.slice(0, -1).filter((one) => one < storedWidth);
  const sizes = [...smaller, Math.min(storedWidth, widths.at(-1))];
  return sizes.map((one) => `${start}-${one}.${form} ${one}w`).join(", ");
}

// A picture that fills its place may be drawn wider than the place, because it is wider or enlarged.
function sizesOf(places, wider) {
  const times = Math.floor(wider * 100) / 100;
  const drawn = (width) => (times > 1 ? `calc(${width} * ${times})` : width);
  return places.map(([condition, width]) => `${condition} ${drawn(width)}`.trim()).join(", ");
}

export function BrokenImageFallback(props) {
  const { src, fallback, alt, storedWidth, storedHeight, storedWidths, places, isWhole, ...rest } = props;
  const image = useRef(null);
  const [broken, setBroken] = useState("");
  useEffect(() => {
    // It may have failed before hydration.
    const { complete, naturalWidth } = image.current;
    if (src && complete && naturalWidth === 0) setBroken(src);
  }, [src]);
  const isShown = src && broken !== src;
  const element = (more) => (
    <img style={isShown && !isWhole ? cropStyle(src) : undefined} {...rest} {...more} ref={image}
      src={isShown ? withoutCrop(src) : fallback || undefined} alt={alt} onError={() => setBroken(src)} />
  );
  const start = isShown && storedWidth ? UPLOADED.exec(withoutCrop(src))?.[1] : null;
  if (!start) return element();
  const drawn = Math.max(1, storedWidth / storedHeight / (rest.width / rest.height)) * cropOf(src).zoom;
  const sizes = sizesOf(places, isWhole ? 1 : drawn);
  const set = (form) => sourceSet(start, storedWidths, storedWidth, form);
  // React preloads an <img> by itself, but none in a <picture>. Browsers without AVIF skip this.
  if (rest.fetchPriority === "high")
    preload(src, { as: "image", type: "image/avif", imageSrcSet: set("avif"), imageSizes: sizes, fetchPriority: "high" });
  return (
    <picture>
      <source type="image/avif" srcSet={set("avif")} sizes={sizes} />
      <source type="image/webp" srcSet={set("webp")} sizes={sizes} />
      {element({ srcSet: set("jpg"), sizes })}
    </picture>
  );
}
