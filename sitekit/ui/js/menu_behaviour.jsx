// @ts-check
// The keyboard behaviour of a menu button, for the <details> around it; see sitekit/ui/public/menu.py.
import { useEffect, useRef } from "react";
// With it the build puts words.js into the file that every public page fetches anyway.
import "./words.js";

export function MenuBehaviour() {
  const marker = useRef(null);
  useEffect(() => {
    const menu = marker.current.closest("details");
    const toggle = menu.querySelector("summary");
    const report = () => toggle.setAttribute("aria-expanded", String(menu.open));
    const close = () => { menu.open = false; };
    const onEscape = (event) => {
      if (event.key === "Escape" && menu.open) { close(); toggle.focus(); }
    };
    const onChoice = (event) => { if (event.target.closest("a")) close(); };
    const onElsewhere = (event) => { if (!menu.contains(event.target)) close(); };
    toggle.setAttribute("role", "button");
    report();
    menu.addEventListener("toggle", report);
    menu.addEventListener("click", onChoice);
    document.addEventListener("keydown", onEscape);
    document.addEventListener("pointerdown", onElsewhere);
    return () => {
      menu.removeEventListener("toggle", report);
      menu.removeEventListener("click", onChoice);
      document.removeEventListener("keydown", onEscape);
      document.removeEventListener("pointerdown", onElsewhere);
    };
  }, []);
  return <span ref={marker} hidden />;
}
