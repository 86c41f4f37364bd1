// @ts-check
// A dialog that is open while the address has its query parameter; see sitekit/admin/components/dialog.py.
import { useLocation, useNavigate } from "react-router";
import { Spinner } from "./controls.jsx";
import { DialogFrame } from "./dialog_frame.jsx";

export function AddressDialog({ parameter, shown, heading, newHeading, name, closeLabel, waitLabel, children }) {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const wanted = query.get(parameter) ?? "";
  const close = () => {
    for (const name of [parameter, "copy", "revision", "draft"]) query.delete(name);
    navigate({ pathname: location.pathname, search: query.toString() }, { preventScrollReset: true });
  };
  const title = wanted === "new" ? newHeading : heading;
  const named = shown === wanted && name ? { heading: name, eyebrow: title } : { heading: title };
  // The form of a record begins at its heading, as on a page of its own.
  const first = newHeading === heading ? undefined : ".backoffice-dialog > h2";
  return (
    <DialogFrame isOpen={wanted !== ""} onClose={close} closeLabel={closeLabel} first={first} {...named}>
      {shown === wanted
        ? children
        : <div className="backoffice-dialog-wait"><Spinner size="xl" label={waitLabel} /></div>}
    </DialogFrame>
  );
}
