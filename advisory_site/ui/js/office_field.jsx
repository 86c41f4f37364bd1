// A labelled field of the back office, with its hint or its error; ui/forms.py draws the control in it.
import { FormControl, FormErrorMessage, FormHelperText, FormLabel } from "@chakra-ui/react";
import { useMark } from "./marks.jsx";

export function OfficeField({ name, label, hint, isRequired, className, children }) {
  const { error, hint: found } = useMark(name);
  const note = found || hint;
  return (
    <FormControl className={className} isInvalid={Boolean(error)} isRequired={isRequired}>
      <FormLabel>{label}</FormLabel>
      {children}
      {error ? <FormErrorMessage>{error}</FormErrorMessage> : note && <FormHelperText>{note}</FormHelperText>}
    </FormControl>
  );
}

export function OfficeError({ name }) {
  const { error } = useMark(name);
  return error ? <p className="office-error" role="alert">{error}</p> : null;
}
