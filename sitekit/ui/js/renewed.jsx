// @ts-check
// Remounts its children when a server-side counter grows; used by sitekit/admin/components/record_form.py.
import { Fragment, useRef } from "react";

export function Renewed({ times, children }) {
  // A restarted server counts from 0 again; what is typed must be kept.
  const last = useRef({ times, offset: 0 }).current;
  if (times < last.times) last.offset += last.times - times;
  last.times = times;
  return <Fragment key={times + last.offset}>{children}</Fragment>;
}
