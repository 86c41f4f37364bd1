"""Texts that are cut at a side, and words that are broken."""

from playwright.sync_api import Page

# Texts beyond the window, or beyond a box that hides what is beyond it; no ellipses, and nothing in a box that scrolls.
CUT = """() => {
    const { clientWidth: width, scrollWidth } = document.documentElement;
    const found = scrollWidth > width ? [`the page is ${scrollWidth} wide`] : [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = new Range();
    while (texts.nextNode()) {
        const text = texts.currentNode;
        range.selectNodeContents(text);
        let { left, right, width: drawn } = range.getBoundingClientRect();
        if (drawn < 2 || right < -width) continue;
        if (!text.parentElement.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        let isCut = false;
        for (let box = text.parentElement; box !== document.body; box = box.parentElement) {
            const { clipPath, overflowX, textOverflow } = getComputedStyle(box);
            if (clipPath !== "none" || ["auto", "scroll"].includes(overflowX)) {
                left = right = width / 2;
                break;
            }
            const edges = box.getBoundingClientRect();
            if (textOverflow === "ellipsis") right = Math.min(right, edges.right);
            if (overflowX !== "visible") isCut ||= left < edges.left - 1 || right > edges.right + 1;
        }
        if (isCut || left < -1 || right > width + 1) found.push(`"${text.data}" is cut`);
    }
    return found;
}"""

# Short words that begin in one line and end in another.
BROKEN = """() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = new Range();
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (!text.parentElement.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)\\p{L}{2,15}(?!\\S)/gu)) {
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            if (lines.size > 1) found.push(`"${word}" is broken`);
        }
    }
    return found;
}"""


def cut_texts(page: Page) -> list[str]:
    """The texts of a page that are cut at a side, and whether it scrolls sideways."""
    found: list[str] = page.evaluate(CUT)
    return found


def broken_words(page: Page) -> list[str]:
    """The short words of a page that are broken over two lines."""
    found: list[str] = page.evaluate(BROKEN)
    return found
