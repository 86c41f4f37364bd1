// @ts-check
// Runs an effect each time a value changes, but not for the first value.
import { useEffect, useRef } from "react";

/**
 * @param {unknown} value
 * @param {() => void} effect
 */
export function useChange(value, effect) {
  const seen = useRef(value);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    effect();
  });
}
