// @ts-check
// A select of the records of another type; see sitekit/admin/components/forms.py. Its values are their slugs.
import { Select } from "./controls.jsx";

export function ReferenceInput({ name, options = [], defaultValue }) {
  // A draft that was kept in the browser may name a record that is gone.
  const isKnown = options.some(([slug]) => slug === defaultValue);
  const shown = isKnown ? options : [...options, [defaultValue, defaultValue]];
  return (
    <Select name={name} defaultValue={defaultValue}>
      {shown.map(([slug, text]) => <option key={slug} value={slug}>{text}</option>)}
    </Select>
  );
}
