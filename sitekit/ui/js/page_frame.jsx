// @ts-check
// A page of the site in a frame: a press on a text chooses it; see sitekit/admin/components/browser.py.
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { changedAddress } from "./address.js";

const BLOCKS = "li, article, figure, blockquote, section";

/** @param {Element} target */
function isText(target) {
  return [...target.childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim());
}

/**
 * The path of the record whose text or picture was pressed: of the link that it is in, or the nearest one beside it.
 * @param {Element} target
 */
function pathNear(target) {
  const near = target.closest("[data-path]") ?? target.closest(BLOCKS)?.querySelector("[data-path]");
  return near?.getAttribute("data-path") ?? "";
}

/**
 * @param {{
 *   src: string, title: string, parameter: string, choices: Record<string, number>, chosen: string,
 *   onFixed: (path: string) => void,
 * }} props
 */
export function PageFrame({ src, title, parameter, choices, chosen, onFixed }) {
  const frame = useRef(/** @type {HTMLIFrameElement | null} */ (null));
  const navigate = useNavigate();
  const location = useLocation();
  const mark = () => {
    const page = frame.current?.contentDocument;
    const texts = /** @type {HTMLElement[]} */ ([...(page?.querySelectorAll("[data-text]") ?? [])]);
    for (const text of texts) text.toggleAttribute("data-is-chosen", text.dataset.text === chosen);
    const first = texts.find((text) => text.dataset.text === chosen && text.offsetParent);
    if (!first || !page) return;
    const { top, bottom } = first.getBoundingClientRect();
    if (top < 0 || bottom > page.documentElement.clientHeight) first.scrollIntoView({ block: "center" });
  };
  const press = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    const target = /** @type {Element} */ (event.target);
    const choice = choices[target.closest("[data-text]")?.getAttribute("data-text") ?? ""];
    if (choice) navigate(changedAddress(location, { [parameter]: choice }), { preventScrollReset: true });
    else if (isText(target) || target.tagName === "IMG") onFixed(pathNear(target));
  };
  const current = useRef({ mark, press });
  useEffect(() => { current.current = { mark, press }; });
  useEffect(mark, [chosen]);
  const loaded = () => {
    current.current.mark();
    frame.current?.contentDocument?.addEventListener("click", (event) => current.current.press(event));
  };
  return <iframe ref={frame} src={src} title={title} onLoad={loaded} loading="lazy" className="texts-frame" />;
}
