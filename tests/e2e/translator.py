"""What a browser's translator does to a page."""

# Each text that is not translated yet is put into an element of its own.
TRANSLATE = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
    for (const text of texts) {
        if (text.parentNode.closest("script,style,textarea,option,svg,font")) continue;
        const inner = document.createElement("font");
        inner.textContent = text.data;
        text.replaceWith(inner);
    }
}"""
# A script for each page of a context: from the beginning, and whatever is drawn later.
TRANSLATING = f"""addEventListener("DOMContentLoaded", () => {{
    const translate = {TRANSLATE};
    translate();
    new MutationObserver(translate).observe(document.body, {{ childList: true, subtree: true }});
}});"""
