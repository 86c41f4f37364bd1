// Draws its children anew when a number of the server's grows; ui/forms.py says what for.
import { Fragment, useRef } from "react";

export function Renewed({ times, children }) {
  // A server that was started anew counts from the beginning, and what is typed stays where it is.
  const last = useRef({ times, forgotten: 0 }).current;
  if (times < last.times) last.forgotten += last.times - times;
  last.times = times;
  return <Fragment key={times + last.forgotten}>{children}</Fragment>;
}
