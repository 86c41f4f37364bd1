// As much of an HTML parser as the pastes of the tests need: what is open is also closed, but for void elements.
const VOID = new Set(["BR", "COL", "HR", "IMG", "META"]);
const CHARACTERS = { amp: "&", gt: ">", lt: "<", nbsp: "\u00a0", quot: '"' };
const decoded = (words) => words.replace(/&(\w+);/g, (_, name) => CHARACTERS[name]);

export const text = (words) => ({ nodeType: 3, nodeName: "#text", textContent: words, childNodes: [] });

export function element(name, attributes, ...children) {
  const childNodes = children.map((child) => (typeof child === "string" ? text(child) : child));
  return {
    nodeType: 1, nodeName: name, childNodes, getAttribute: (attribute) => attributes[attribute] ?? null,
    get textContent() { return childNodes.map((child) => child.textContent).join(""); },
  };
}

export function bodyOf(html) {
  const open = [element("BODY", {})];
  for (const [whole, close, name, inside] of html.matchAll(/<!(?:--.*?--|[^>]*)>|<(\/?)([\w:-]+)((?:[^>"']|"[^"]*"|'[^']*')*)>|[^<]+/gs)) {
    const tag = name?.toUpperCase();
    if (whole.startsWith("<!") || tag === "HTML" || tag === "BODY") continue;
    if (!tag) open.at(-1).childNodes.push(text(decoded(whole)));
    else if (close) {
      while (open.pop().nodeName !== tag);
    } else {
      const attributes = [...inside.matchAll(/([\w:-]+)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g)].map(([, key, ...values]) => [key, decoded(values.find((value) => value !== undefined))]);
      const made = element(tag, Object.fromEntries(attributes));
      open.at(-1).childNodes.push(made);
      if (!VOID.has(tag) && !inside.endsWith("/")) open.push(made);
    }
  }
  return open[0];
}
