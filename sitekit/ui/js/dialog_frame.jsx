// @ts-check
// What all dialogs share: the sheet with heading, close button, notices and the bar of a lost connection.
import { useEffect, useMemo } from "react";
import { ConnectionPlace } from "./connection_bar.jsx";
import { useChakra } from "./later.jsx";
import { NoticePlace } from "./notices.jsx";

// `first` selects the element that gets the focus; without it, the first one that can have it does. The focus returns to
// `finalFocusRef`; without it, to where it was, or close by if that was a heading. `eyebrow` is the line above the heading.
/**
 * @param {{
 *   isOpen: boolean, onClose: () => void, heading: string, eyebrow?: string, closeLabel: string, first?: string,
 *   finalFocusRef?: import("react").RefObject<Element>, children: import("react").ReactNode,
 * }} props
 */
export function DialogFrame({ isOpen, onClose, heading, eyebrow, closeLabel, first, finalFocusRef, children }) {
  const initialFocusRef = useMemo(() => first && { get current() { return document.querySelector(first); } }, [first]);
  // While the content is rendered again, nothing in the dialog has the focus, and keys would go to the page.
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event) => { if (event.key === "Escape" && event.target === document.body) onClose(); };
    window.addEventListener("keydown", leave);
    return () => window.removeEventListener("keydown", leave);
  });
  const chakra = useChakra(isOpen);
  if (!chakra) return null;
  const { Modal, ModalBody, ModalCloseButton, ModalContent, ModalHeader, ModalOverlay } = chakra;
  // The stylesheet keeps the page behind from scrolling: Chakra would add a style element, which the CSP blocks.
  const manner = { motionPreset: "none", scrollBehavior: "inside", blockScrollOnMount: false };
  return (
    <Modal isOpen={isOpen} onClose={onClose} initialFocusRef={initialFocusRef} finalFocusRef={finalFocusRef} {...manner}>
      <ModalOverlay className="backoffice-overlay" />
      <ModalContent className="backoffice-dialog" containerProps={{ className: "backoffice-dialog-place" }}>
        <ModalHeader as="h2" tabIndex={-1}>
          {eyebrow && <span className="form-eyebrow">{eyebrow} </span>}
          {heading}
        </ModalHeader>
        <ModalCloseButton aria-label={closeLabel} />
        <ConnectionPlace />
        <ModalBody><div className="backoffice">{children}</div></ModalBody>
        <NoticePlace />
      </ModalContent>
    </Modal>
  );
}
