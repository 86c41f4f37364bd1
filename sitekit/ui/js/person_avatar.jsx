// @ts-check
// A round picture of a person with the initials; see sitekit/admin/components/browser.py.
import { Avatar } from "./controls.jsx";

// Whole characters, also those of two code units.
const letters = (text, count) => Array.from((text ?? "").trim()).slice(0, count).join("");

export function PersonAvatar({ firstName, lastName, email, size }) {
  const initials = (letters(firstName, 1) + letters(lastName, 1) || letters(email, 2) || "U").toUpperCase();
  return <Avatar size={size} name={initials} initials={initials} />;
}
