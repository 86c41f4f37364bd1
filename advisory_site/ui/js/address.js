// Reads and changes the query parameters of the address; for the components of ui/backoffice/address.py.

/** The address with some parameters changed, an empty text removing one; a list begins at its first page again. */
export function changedAddress(location, change) {
  const query = new URLSearchParams(location.search);
  if (!("page" in change)) query.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value === "" || value === null || (name === "page" && value === 1)) query.delete(name);
    else query.set(name, value);
  }
  return { pathname: location.pathname, search: query.toString() };
}

export function parameterOf(location, name) {
  return new URLSearchParams(location.search).get(name) ?? "";
}
