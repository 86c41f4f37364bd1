// @ts-check
// WebAuthn ceremonies: the server's options, the browser's dialog, the response; see sitekit/admin/components/passkey_button.py.
//
// Options and responses are JSON with binary values in base64url. Not all browsers have the functions that convert it.
import { useCallback, useEffect, useRef, useState } from "react";
import { generateUUID } from "$/framework/reflex.js";
import { useChange } from "./change.js";

/** @typedef {{ id: string, type: PublicKeyCredentialType }} Known A passkey, by its id. */
/**
 * The server's options, empty if there are no passkeys here; `rp`, `user` and `excludeCredentials` to create one, the
 * others to use one.
 * @typedef {{
 *   challenge: string, rpId?: string, rp: PublicKeyCredentialRpEntity,
 *   user: PublicKeyCredentialUserEntity & { id: string }, pubKeyCredParams: PublicKeyCredentialParameters[], excludeCredentials: Known[], allowCredentials: Known[],
 * }} Options
 */
/** @typedef {{ request: string, options: Options, error: string }} Offer */
/** @typedef {{ present: string, cancelled: string, failed: string }} Sentences */
/** @typedef {{ signal: AbortSignal, mediation?: CredentialMediationRequirement }} Manner */
/** @typedef {(options: Options, manner: Manner) => Promise<string>} Perform */

// In ms. The server accepts responses to its options for 5 minutes.
const FRESH_FOR = 4 * 60_000;
const CHECK_EVERY = 15_000;
const OPTIONS_TIMEOUT = 10_000;
const ANSWER_TIMEOUT = 10_000;

const IDLE = "";
const WAITING = "waiting"; // for options
const ASKING = "asking"; // the browser asks for a passkey
const SENT = "sent";

const decoded = (/** @type {string} */ text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const encoded = (/** @type {ArrayBuffer} */ buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
/**
 * @template {{ id: string }} T
 * @param {T} one
 */
const withBytes = (one) => ({ ...one, id: decoded(one.id) });

/**
 * @param {Credential | null} credential
 * @param {string[]} names Those of the parts of the response.
 */
function responseOf(credential, names) {
  // Its properties are those of its prototype: what is left over by a rest pattern would lack them.
  const { id, type, rawId, response } = /** @type {PublicKeyCredential} */ (credential);
  const values = /** @type {Record<string, ArrayBuffer>} */ (Object(response));
  const parts = names.filter((name) => values[name]).map((name) => [name, encoded(values[name])]);
  return JSON.stringify({ id, type, rawId: encoded(rawId), response: Object.fromEntries(parts) });
}

/**
 * Create a passkey; returns the response for the server.
 * @type {Perform}
 */
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

/**
 * Use a passkey; with `mediation: "conditional"` the browser offers it among the suggestions of a field.
 * @type {Perform}
 */
export async function get(options, { signal, mediation }) {
  const publicKey = {
    ...options,
    challenge: decoded(options.challenge),
    allowCredentials: options.allowCredentials.map(withBytes),
  };
  const used = await navigator.credentials.get({ publicKey, signal, mediation });
  return responseOf(used, ["clientDataJSON", "authenticatorData", "signature", "userHandle"]);
}

export function hasWebAuthn() {
  return typeof window.PublicKeyCredential === "function" && Boolean(navigator.credentials);
}

/** @param {Options} options */
function mayUse({ rpId, rp }) {
  const host = rpId ?? rp?.id;
  return location.hostname === host || location.hostname.endsWith(`.${host}`);
}

// A cancelled dialog and one that found no passkey look the same to the page.
/**
 * @param {unknown} error
 * @param {Sentences} words
 */
function sentenceOf(error, words) {
  /** @type {Record<string, string>} */
  const known = { AbortError: "", InvalidStateError: words.present };
  for (const without of ["NotAllowedError", "NotSupportedError"]) known[without] = words.cancelled;
  return known[Object(error).name] ?? words.failed;
}

/**
 * One ceremony, repeated as often as the user likes.
 *
 * `onBegin(id)` requests options; `offer` then has this id with the options, or an error, or neither if there are no
 * passkeys here. `perform` is `create` or `get`. `onResponse` gets the response, and the server counts its `answers`.
 * With `isSuggested`, the browser also offers passkeys in the field with autocomplete="webauthn".
 * @param {{
 *   offer: Offer, answers: number, words: Sentences, onBegin: (id: string) => void, perform: Perform,
 *   onResponse: (response: string) => void, isSuggested?: boolean,
 * }} props
 */
export function usePasskey({ offer, answers, words, onBegin, perform, onResponse, isSuggested = false }) {
  const [phase, setPhase] = useState(IDLE);
  const [sentence, setSentence] = useState("");
  // The latest offer, and when it came.
  const [current, setCurrent] = useState(/** @type {Offer & { at: number } | null} */ (null));
  const [isWithout, setWithout] = useState(false); // the browser has no WebAuthn
  const asked = useRef({ id: "", at: 0 });
  const request = useRef(/** @type {AbortController | null} */ (null)); // what aborts the request to the browser
  const latest = useRef({ current, phase, words, onBegin, perform, onResponse });
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
  /** @type {(options: Options, mediation?: CredentialMediationRequirement) => Promise<void>} */
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

  const options = current?.options.challenge && mayUse(current.options) ? current.options : null;
  useEffect(() => {
    if (!isSuggested || !options || phase !== IDLE) return;
    let isOver = false;
    const suggest = async () => {
      const isPossible = await window.PublicKeyCredential.isConditionalMediationAvailable?.();
      if (isPossible && !isOver) ask(options, "conditional");
    };
    suggest();
    return () => { isOver = true; };
  }, [isSuggested, options, phase, ask]);
  useEffect(() => {
    if (phase !== WAITING) return;
    if (current?.request === asked.current.id) {
      setPhase(options ? ASKING : IDLE);
      if (options) ask(options);
      else setSentence(current.error || latest.current.words.failed);
      return;
    }
    const timer = setTimeout(() => {
      setPhase(IDLE);
      setSentence(latest.current.words.failed);
    }, OPTIONS_TIMEOUT);
    return () => clearTimeout(timer);
  }, [phase, current, options, ask]);
  useEffect(() => {
    if (phase !== SENT) return;
    const timer = setTimeout(() => setPhase(IDLE), ANSWER_TIMEOUT);
    return () => clearTimeout(timer);
  }, [phase]);

  const start = () => {
    if (phase !== IDLE) return;
    setSentence("");
    // At once if possible: some browsers open the dialog only in answer to a click.
    if (current && options && Date.now() - current.at < FRESH_FOR) {
      setPhase(ASKING);
      ask(options);
    } else {
      renew();
      setPhase(WAITING);
    }
  };
  const isOffered = options !== null || Boolean(current?.error);
  return { isOffered, isMissing: isWithout || Boolean(current && !isOffered), isBusy: phase !== IDLE, sentence, start };
}
