// An image that shows another one when it cannot be loaded; see ui/browser.py.
import { useEffect, useRef, useState } from "react";

export function BrokenImageFallback({ src, fallback, alt, ...rest }) {
  const image = useRef(null);
  const [broken, setBroken] = useState("");
  useEffect(() => {
    // It may have failed before hydration.
    const { complete, naturalWidth } = image.current;
    if (src && complete && naturalWidth === 0) setBroken(src);
  }, [src]);
  const shown = src && broken !== src ? src : fallback;
  return <img {...rest} ref={image} src={shown} alt={alt} onError={() => setBroken(src)} />;
}
