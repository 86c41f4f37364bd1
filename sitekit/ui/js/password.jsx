// @ts-check
// A password field with a button that shows it; sitekit/admin/components/forms.py adds the label.
import { useState } from "react";
import { Button, Input } from "./controls.jsx";

export function PasswordInput({show, hide, label, ...rest}) {
  const [isShown, setShown] = useState(false);
  const word = isShown ? hide : show;
  return (
    <div className="input-group">
      <Input {...rest} type={isShown ? "text" : "password"} autoCapitalize="none" spellCheck={false} />
      <span className="input-end">
        <Button type="button" size="sm" variant="ghost" aria-label={`${word} ${label}`} aria-pressed={isShown}
          onClick={() => setShown(!isShown)}>
          {word}
        </Button>
      </span>
    </div>
  );
}
