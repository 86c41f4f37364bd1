// A picture in the size and format that suits the screen, or another one if it cannot be loaded; see ui/browser.py.
import { useEffect, useRef, useState } from "react";
import { preload } from "react-dom";

const UPLOADED = /^(\/media\/[0-9a-f]{32})-\d+\.jpg$/;

// What an <img> or a <source> of one format takes: each stored size, see `sizes_of` in core/pictures.py.
function sourceSet(start, widths, storedWidth, form) {
  const smaller = widths.slice(0, -1).filter((one) => one < storedWidth);
  const sizes = [...smaller, Math.min(storedWidth, widths.at(-1))];
  return sizes.map((one) => `${start}-${one}.${form} ${one}w`).join(", ");
}

// A picture that is wider than its place and fills it is drawn wider than the place, and its sides are cut off.
function sizesOf(places, crop) {
  const times = Math.floor(crop * 100) / 100;
  const drawn = (width) => (times > 1 ? `calc(${width} * ${times})` : width);
  return places.map(([condition, width]) => `${condition} ${drawn(width)}`.trim()).join(", ");
}

export function BrokenImageFallback(props) {
  const { src, fallback, alt, storedWidth, storedHeight, storedWidths, position, places, isWhole, ...rest } = props;
  const image = useRef(null);
  const [broken, setBroken] = useState("");
  useEffect(() => {
    // It may have failed before hydration.
    const { complete, naturalWidth } = image.current;
    if (src && complete && naturalWidth === 0) setBroken(src);
  }, [src]);
  const isShown = src && broken !== src;
  const element = (more) => (
    <img {...rest} {...more} ref={image} src={isShown ? src : fallback || undefined} alt={alt} onError={() => setBroken(src)} />
  );
  const start = isShown && storedWidth ? UPLOADED.exec(src)?.[1] : null;
  if (!start) return element();
  const sizes = sizesOf(places, isWhole ? 1 : storedWidth / storedHeight / (rest.width / rest.height));
  const set = (form) => sourceSet(start, storedWidths, storedWidth, form);
  // React preloads an <img> by itself, but none in a <picture>. Browsers without AVIF skip this.
  if (rest.fetchPriority === "high")
    preload(src, { as: "image", type: "image/avif", imageSrcSet: set("avif"), imageSizes: sizes, fetchPriority: "high" });
  return (
    <picture>
      <source type="image/avif" srcSet={set("avif")} sizes={sizes} />
      <source type="image/webp" srcSet={set("webp")} sizes={sizes} />
      {element({ srcSet: set("jpg"), sizes, style: position ? { objectPosition: position } : undefined })}
    </picture>
  );
}
