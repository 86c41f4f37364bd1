"""What the content security policy refuses on a page, as an init script that collects it."""

LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => window.refused.push(event.violatedDirective));
"""
