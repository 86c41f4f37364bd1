// @ts-check
// In place of Emotion's function of this name, with which Reflex draws pages; see vite_plugins.js.
import { createElement } from "react";

/**
 * An element. The styles that Reflex gives its own, such as that of a failure, become those of the element.
 * @param {any} type
 * @param {any} props
 * @param {any[]} children
 */
export function jsx(type, props, ...children) {
  if (!props?.css) return createElement(type, props, ...children);
  const { css, ...rest } = props;
  return createElement(type, { ...rest, style: { ...rest.style, ...css } }, ...children);
}
