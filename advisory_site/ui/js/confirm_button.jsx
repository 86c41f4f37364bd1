// Actions that ask for confirmation in the browser's own dialog; see ui/backoffice/confirm.py.
import { Button, MenuItem } from "@chakra-ui/react";

const asking = (sentence, onConfirm) => () => { if (window.confirm(sentence)) onConfirm(); };

export function ConfirmButton({ sentence, onConfirm, children, ...rest }) {
  return <Button {...rest} type="button" onClick={asking(sentence, onConfirm)}>{children}</Button>;
}

export function ConfirmItem({ sentence, onConfirm, children, ...rest }) {
  return <MenuItem {...rest} onClick={asking(sentence, onConfirm)}>{children}</MenuItem>;
}
