// Runs an effect each time a value has changed, and not for the value that a component begins with.
import { useEffect, useRef } from "react";

export function useChange(value, effect) {
  const seen = useRef(value);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    effect();
  });
}
