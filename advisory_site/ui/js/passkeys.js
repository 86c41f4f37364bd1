// WebAuthn ceremonies: the server's options, the browser's dialog, the response; see ui/backoffice/passkeys.py.
//
// Options and responses are JSON with binary values in base64url. Not all browsers have the functions that convert it.
import { useCallback, useEffect, useRef, useState } from "react";
import { generateUUID } from "$/utils/state";
import { useChange } from "./change.js";

// In ms. The server accepts responses to its options for 5 minutes.
const FRESH_FOR = 4 * 60_000;
const CHECK_EVERY = 15_000;
const OPTIONS_TIMEOUT = 10_000;
const ANSWER_TIMEOUT = 10_000;

const IDLE = "";
const WAITING = "waiting"; // for options
const ASKING = "asking"; // the browser asks for a passkey
const SENT = "sent";

const decoded = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const encoded = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const withBytes = (one) => ({ ...one, id: decoded(one.id) });

function responseOf({ id, type, rawId, response }, names) {
  const parts = names.filter((name) => response[name]).map((name) => [name, encoded(response[name])]);
  return JSON.stringify({ id, type, rawId: encoded(rawId), response: Object.fromEntries(parts) });
}

/** Create a passkey; returns the response for the server. */
export async function create(options, { signal }) {
  const publicKey = {
    ...options,
    challenge: decoded(options.challenge),
    user: withBytes(options.user),
    excludeCredentials: options.excludeCredentials.map(withBytes),
  };
  const created = await navigator.credentials.create({ publicKey, signal });
  return responseOf(created, ["clientDataJSON", "attestationObject"]);
}

/** Use a passkey; with `mediation: "conditional"` the browser offers it among the suggestions of a field. */
export async function get(options, { signal, mediation }) {
  const publicKey = {
    ...options,
    challenge: decoded(options.challenge),
    allowCredentials: options.allowCredentials.map(withBytes),
  };
  const used = await navigator.credentials.get({ publicKey, signal, mediation });
  return responseOf(used, ["clientDataJSON", "authenticatorData", "signature", "userHandle"]);
}

function hasWebAuthn() {
  return typeof window.PublicKeyCredential === "function" && Boolean(navigator.credentials);
}

function mayUse({ rpId, rp }) {
  const host = rpId ?? rp?.id;
  return location.hostname === host || location.hostname.endsWith(`.${host}`);
}

// A cancelled dialog and one that found no passkey look the same to the page.
function sentenceOf({ name }, words) {
  const known = { AbortError: "", InvalidStateError: words.present };
  for (const without of ["NotAllowedError", "NotSupportedError"]) known[without] = words.cancelled;
  return known[name] ?? words.failed;
}

/**
 * One ceremony, repeated as often as the user likes.
 *
 * `onBegin(id)` requests options; `offer` then has this id with the options, or an error, or neither if there are no
 * passkeys here. `perform` is `create` or `get`. `onResponse` gets the response, and the server counts its `answers`.
 * With `isSuggested`, the browser also offers passkeys in the field with autocomplete="webauthn".
 */
export function usePasskey({ offer, answers, words, onBegin, perform, onResponse, isSuggested = false }) {
  const [phase, setPhase] = useState(IDLE);
  const [sentence, setSentence] = useState("");
  const [current, setCurrent] = useState(null); // the latest offer, and when it came
  const [isWithout, setWithout] = useState(false); // the browser has no WebAuthn
  const asked = useRef({ id: "", at: 0 });
  const request = useRef(null); // what aborts the request to the browser
  const latest = useRef({});
  useEffect(() => { latest.current = { current, phase, words, onBegin, perform, onResponse }; });

  const renew = useCallback(() => {
    asked.current = { id: generateUUID(), at: Date.now() };
    latest.current.onBegin(asked.current.id);
  }, []);
  const abort = useCallback(() => {
    request.current?.abort();
    request.current = null;
  }, []);
  // The browser handles one request of a page at a time.
  const ask = useCallback(async (options, mediation) => {
    abort();
    const own = new AbortController();
    request.current = own;
    try {
      const response = await latest.current.perform(options, { signal: own.signal, mediation });
      if (own.signal.aborted) return;
      setSentence("");
      setPhase(SENT);
      latest.current.onResponse(response);
    } catch (error) {
      if (mediation || own.signal.aborted) return;
      setSentence(sentenceOf(error, latest.current.words));
      setPhase(IDLE);
    }
  }, [abort]);

  useEffect(() => {
    if (!hasWebAuthn()) {
      setWithout(true);
      return;
    }
    renew();
    const check = () => {
      const isAnswered = latest.current.current?.request === asked.current.id;
      const isOld = Date.now() - asked.current.at > (isAnswered ? FRESH_FOR : OPTIONS_TIMEOUT);
      if (isOld && latest.current.phase === IDLE && document.visibilityState === "visible") renew();
    };
    const timer = setInterval(check, CHECK_EVERY);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
      abort();
    };
  }, [renew, abort]);
  useChange(offer, () => {
    const isNew = offer.request === asked.current.id && offer.request !== current?.request;
    if (isNew) setCurrent({ ...offer, at: Date.now() });
  });
  useChange(answers, () => {
    setPhase(IDLE);
    renew();
  });

  const hasOptions = Boolean(current?.options.challenge) && mayUse(current.options);
  useEffect(() => {
    if (!isSuggested || !hasOptions || phase !== IDLE) return;
    let isOver = false;
    const suggest = async () => {
      const isPossible = await window.PublicKeyCredential.isConditionalMediationAvailable?.();
      if (isPossible && !isOver) ask(current.options, "conditional");
    };
    suggest();
    return () => { isOver = true; };
  }, [isSuggested, hasOptions, current, phase, ask]);
  useEffect(() => {
    if (phase !== WAITING) return;
    if (current?.request === asked.current.id) {
      setPhase(hasOptions ? ASKING : IDLE);
      if (hasOptions) ask(current.options);
      else setSentence(current.error || latest.current.words.failed);
      return;
    }
    const timer = setTimeout(() => {
      setPhase(IDLE);
      setSentence(latest.current.words.failed);
    }, OPTIONS_TIMEOUT);
    return () => clearTimeout(timer);
  }, [phase, current, hasOptions, ask]);
  useEffect(() => {
    if (phase !== SENT) return;
    const timer = setTimeout(() => setPhase(IDLE), ANSWER_TIMEOUT);
    return () => clearTimeout(timer);
  }, [phase]);

  const start = () => {
    if (phase !== IDLE) return;
    setSentence("");
    // At once if possible: some browsers open the dialog only in answer to a click.
    if (hasOptions && Date.now() - current.at < FRESH_FOR) {
      setPhase(ASKING);
      ask(current.options);
    } else {
      renew();
      setPhase(WAITING);
    }
  };
  const isOffered = hasOptions || Boolean(current?.error);
  return { isOffered, isMissing: isWithout || Boolean(current && !isOffered), isBusy: phase !== IDLE, sentence, start };
}
