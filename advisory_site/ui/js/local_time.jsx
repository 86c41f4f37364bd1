// A moment by the reader's own clock: "21 Nov 2026", or "21 Nov 2026, 7:26 pm"; see ui/local_time.py.
import { useSyncExternalStore } from "react";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const never = () => () => {};

function dayOf(time) {
  return `${time.getDate()} ${MONTHS[time.getMonth()]} ${time.getFullYear()}`;
}

function hourOf(time) {
  const half = time.getHours() < 12 ? "am" : "pm";
  return `${time.getHours() % 12 || 12}:${String(time.getMinutes()).padStart(2, "0")} ${half}`;
}

function zoneOf(time) {
  const parts = new Intl.DateTimeFormat("en-SG", { timeZoneName: "short" }).formatToParts(time);
  return parts.find((part) => part.type === "timeZoneName").value;
}

export function LocalTime({ at, isShort, hasZone }) {
  const isHere = useSyncExternalStore(never, () => true, () => false);
  const time = new Date(at);
  if (!isHere || !at || Number.isNaN(time.getTime())) return null;
  const long = `${dayOf(time)}, ${hourOf(time)}`;
  const whole = `${long} ${zoneOf(time)}`;
  return <time dateTime={at} title={whole}>{isShort ? dayOf(time) : hasZone ? whole : long}</time>;
}
