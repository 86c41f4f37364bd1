// @ts-check
// A password field with a button that shows it; sitekit/admin/components/forms.py adds the label.
import { useState } from "react";
import { Button, Input, InputGroup, InputRightElement } from "@chakra-ui/react";

export function PasswordInput({show, hide, label, ...rest}) {
  const [isShown, setShown] = useState(false);
  const word = isShown ? hide : show;
  return (
    <InputGroup>
      <Input {...rest} type={isShown ? "text" : "password"} paddingRight="4.5rem"
        autoCapitalize="none" spellCheck={false} />
      <InputRightElement width="4.5rem" height="100%">
        <Button type="button" size="sm" variant="ghost" aria-label={`${word} ${label}`} aria-pressed={isShown}
          onClick={() => setShown(!isShown)}>
          {word}
        </Button>
      </InputRightElement>
    </InputGroup>
  );
}
