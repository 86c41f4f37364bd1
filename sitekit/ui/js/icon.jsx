// @ts-check
// A small icon beside a text, drawn by its path; those without a script are in sitekit/ui/icons.py.
export function Icon({ path }) {
  return <svg viewBox="0 0 24 24" className="icon icon-small" aria-hidden="true"><path d={path} /></svg>;
}
