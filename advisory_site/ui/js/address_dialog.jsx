// A dialog that is open while the address has its query parameter; see ui/backoffice/dialog.py.
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import {
  Modal, ModalBody, ModalCloseButton, ModalContent, ModalHeader, ModalOverlay, Spinner,
} from "@chakra-ui/react";
import { ConnectionPlace } from "./connection_bar.jsx";
import { NoticePlace } from "./notices.jsx";

export function AddressDialog({ parameter, shown, heading, newHeading, closeLabel, waitLabel, children }) {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const wanted = query.get(parameter) ?? "";
  const close = () => {
    for (const name of [parameter, "copy", "revision"]) query.delete(name);
    navigate({ pathname: location.pathname, search: query.toString() }, { preventScrollReset: true });
  };
  // While the content is rendered again, nothing in the dialog has the focus, and keys would go to the page.
  useEffect(() => {
    if (wanted === "") return;
    const leave = (event) => { if (event.key === "Escape" && event.target === document.body) close(); };
    window.addEventListener("keydown", leave);
    return () => window.removeEventListener("keydown", leave);
  });
  // The stylesheet keeps the page behind from scrolling: Chakra would add a style element, which the CSP blocks.
  const manner = { motionPreset: "none", scrollBehavior: "inside", blockScrollOnMount: false };
  return (
    <Modal isOpen={wanted !== ""} onClose={close} {...manner}>
      <ModalOverlay className="backoffice-overlay" />
      <ModalContent className="backoffice-dialog" containerProps={{ className: "backoffice-dialog-place" }}>
        <ModalHeader as="h2">{wanted === "new" ? newHeading : heading}</ModalHeader>
        <ModalCloseButton aria-label={closeLabel} />
        <ConnectionPlace />
        <ModalBody>
          <div className="backoffice">
            {shown === wanted
              ? children
              : <div className="backoffice-dialog-wait"><Spinner size="xl" label={waitLabel} /></div>}
          </div>
        </ModalBody>
        <NoticePlace />
      </ModalContent>
    </Modal>
  );
}
