// @ts-check
// A dialog that is open while the address has its query parameter; see sitekit/admin/components/dialog.py.
import { useLocation, useNavigate } from "react-router";
import { Spinner } from "@chakra-ui/react";
import { DialogFrame } from "./dialog_frame.jsx";

export function AddressDialog({ parameter, shown, heading, newHeading, name, closeLabel, waitLabel, children }) {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const wanted = query.get(parameter) ?? "";
  const close = () => {
    for (const name of [parameter, "copy", "revision"]) query.delete(name);
    navigate({ pathname: location.pathname, search: query.toString() }, { preventScrollReset: true });
  };
  const title = wanted === "new" ? newHeading : heading;
  const named = shown === wanted && name ? { heading: name, eyebrow: title } : { heading: title };
  return (
    <DialogFrame isOpen={wanted !== ""} onClose={close} closeLabel={closeLabel} first=".backoffice-dialog > h2" {...named}>
      {shown === wanted
        ? children
        : <div className="backoffice-dialog-wait"><Spinner size="xl" label={waitLabel} /></div>}
    </DialogFrame>
  );
}
