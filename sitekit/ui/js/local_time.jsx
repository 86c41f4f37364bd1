// @ts-check
// A time in the reader's time zone: "21 Nov 2026", "21 Nov 2026, 7:26 pm", "3 hours ago"; see sitekit/ui/local_time.py.
import { useSyncExternalStore } from "react";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MINUTE = 60000;
const never = () => () => {};
function everyMinute(changed) {
  const timer = setInterval(changed, MINUTE);
  return () => clearInterval(timer);
}
const thisSecond = () => Math.floor(Date.now() / 1000);

function dayOf(time) {
  return `${time.getDate()} ${MONTHS[time.getMonth()]} ${time.getFullYear()}`;
}

function hourOf(time) {
  const half = time.getHours() < 12 ? "am" : "pm";
  return `${time.getHours() % 12 || 12}:${String(time.getMinutes()).padStart(2, "0")} ${half}`;
}

// If the browser's clock is slow, a time just past is shown as now.
function ageOf(time, second) {
  const minutes = Math.max(0, Math.floor((second * 1000 - time.getTime()) / MINUTE));
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return "just now";
  if (hours < 1) return `${minutes} min ago`;
  if (days < 1) return hours === 1 ? "1 hour ago" : `${hours} hours ago`;
  if (days < 7) return days === 1 ? "1 day ago" : `${days} days ago`;
  return dayOf(time);
}

function zoneOf(time) {
  const parts = new Intl.DateTimeFormat("en-SG", { timeZoneName: "short" }).formatToParts(time);
  return parts.find((part) => part.type === "timeZoneName").value;
}

export function LocalTime({ at, isShort, hasZone, isAge, near }) {
  const second = useSyncExternalStore(isAge ? everyMinute : never, isAge ? thisSecond : () => 0, () => null);
  const time = new Date(at);
  if (second === null || !at || Number.isNaN(time.getTime())) return null;
  const isSameDay = Boolean(near) && dayOf(new Date(near)) === dayOf(time);
  const whole = `${dayOf(time)}, ${hourOf(time)} ${zoneOf(time)}`;
  const long = isSameDay ? hourOf(time) : `${dayOf(time)}, ${hourOf(time)}`;
  const text = isAge ? ageOf(time, second) : isShort ? dayOf(time) : hasZone ? whole : long;
  return <time dateTime={at} title={whole}>{text}</time>;
}
