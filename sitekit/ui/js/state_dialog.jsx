// @ts-check
// A dialog that a state opens; see sitekit/admin/components/dialog.py.
import { DialogFrame } from "./dialog_frame.jsx";

export function StateDialog({ isOpen, heading, first, closeLabel, onClose, children }) {
  return (
    <DialogFrame isOpen={isOpen} onClose={() => onClose()} heading={heading} closeLabel={closeLabel} first={first}>
      {children}
    </DialogFrame>
  );
}
