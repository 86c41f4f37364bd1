// A button that asks for confirmation in the browser's own dialog; see ui/backoffice/confirm.py.
import { Button } from "@chakra-ui/react";

export function ConfirmButton({ sentence, onConfirm, children, ...rest }) {
  const ask = () => { if (window.confirm(sentence)) onConfirm(); };
  return <Button {...rest} type="button" onClick={ask}>{children}</Button>;
}
