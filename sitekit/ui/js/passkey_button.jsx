// @ts-check
// A button that uses or creates a passkey, and what is for browsers that know passkeys; see sitekit/admin/components/passkey_button.py.
import { useEffect, useState } from "react";
import { Button } from "./controls.jsx";
import { create, get, hasWebAuthn, usePasskey } from "./passkeys.js";

export function PasskeyButton({ offer, answers, words, isSuggested, creates, onBegin, onResponse, ...rest }) {
  const perform = creates ? create : get;
  const ceremony = usePasskey({ offer, answers, words, isSuggested, onBegin, onResponse, perform });
  const { isOffered, isMissing, isBusy, sentence, start } = ceremony;
  if (!isOffered) return isMissing && words.unavailable ? <p role="status">{words.unavailable}</p> : null;
  // Not disabled while it is busy, because it would lose the focus to the top of the page.
  return (
    <div className="passkey">
      <Button {...rest} type="button" aria-disabled={isBusy} onClick={start}>
        {isBusy ? words.busy : words.label}
      </Button>
      <p role="status" className="passkey-status">{sentence}</p>
    </div>
  );
}

export function WithPasskeys({ children: [known, unknown] }) {
  const [isKnown, setKnown] = useState(true);
  useEffect(() => setKnown(hasWebAuthn()), []);
  return isKnown ? known : unknown;
}
