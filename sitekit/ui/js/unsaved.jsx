// @ts-check
// Keeps what is typed in the browser until it is saved; see sitekit/admin/components/unsaved.py.
import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { useBlocker, useLocation, useNavigate } from "react-router";
import { Button } from "./controls.jsx";
import { ask } from "./confirm.jsx";
import { waitForTexts } from "./connection.js";
import { restoreStep, settle, typedTexts } from "./unsaved_texts.js";
import { isCommand } from "./keyboard.js";
import { onConnection } from "$/framework/live_socket.js";

/** Leave a page that a blocker holds, if the user agrees to the question; `leave` comes first. */
function useQuestion(blocker, question, leave) {
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    let isCurrent = true;
    ask(question).then((isAgreed) => {
      if (!isCurrent) return;
      if (!isAgreed) return blocker.reset();
      leave?.();
      blocker.proceed();
    });
    return () => { isCurrent = false; };
  }, [blocker]);
}

// Begins the names under which the browser keeps texts; older than the drafts of staff.
const PREFIX = "draft:";
// The position of the cursor in a form that is about to be remounted.
const NOWHERE = { form: "", name: "", at: null };
let cursor = NOWHERE;
// The texts that were last sent to the server to restore, by the name under which the browser keeps them.
const requested = new Map();
// The names of texts that were left, which the server shows until it has read the form again.
const abandoned = new Set();

function cursorIn(form) {
  const { name, selectionEnd } = /** @type {HTMLInputElement} */ (document.activeElement);
  return { form: form.id, name: name ?? "", at: selectionEnd ?? null };
}

// The forms of the page that keep what is typed: whether each holds its page, and what to do when it is left all the
// same. The router allows one blocker, so that of the first form asks for all.
const keeping = [];
const watchers = new Set();
const watchKeeping = (/** @type {() => void} */ watcher) => {
  watchers.add(watcher);
  return () => { watchers.delete(watcher); };
};

function LeavingQuestion({ question }) {
  const blocker = useBlocker(useCallback(({currentLocation, nextLocation}) => {
    const same = (one) => one.pathname + one.search;
    if (same(currentLocation) === same(nextLocation)) return false;
    // All are asked, because those that do not hold the page forget their texts.
    return keeping.map((form) => form.current.holds(nextLocation)).includes(true);
  }, []));
  useQuestion(blocker, question, () => { for (const form of keeping) form.current.leave(); });
  return null;
}

const typedInto = (/** @type {HTMLFormElement} */ form) => typedTexts(new FormData(form).entries());

export function UnsavedChanges(props) {
  const {form, name, question, timesRefused, isRestored, saves, stored, destination, isStaying, signIn} = props;
  const {onRestore, onDiscard} = props;
  const navigate = useNavigate();
  const location = useLocation();
  const untouched = useRef(null); // what the form holds while nothing is typed into it
  const submission = useRef({});
  const sent = useRef(false);
  const left = useRef(false);
  const restore = useRef(onRestore);
  useEffect(() => { restore.current = onRestore; });
  useEffect(() => { sent.current = false; }, [timesRefused]);
  const element = useCallback(() => /** @type {HTMLFormElement} */ (document.getElementById(form)), [form]);
  const isDirty = useCallback(() => {
    const here = element();
    return Boolean(here) && !left.current && JSON.stringify(typedInto(here)) !== untouched.current;
  }, [element]);
  const key = useRef(PREFIX + name);
  const storeTexts = useCallback(() => {
    if (isDirty()) sessionStorage.setItem(key.current, JSON.stringify(typedInto(element())));
  }, [isDirty, element]);
  const isAwaited = useRef(false);
  const forget = useCallback(() => {
    isAwaited.current = false;
    sessionStorage.removeItem(key.current);
  }, []);
  useLayoutEffect(() => {
    // A record that was saved may have another address, and its texts another name.
    if (key.current !== PREFIX + name) forget();
    key.current = PREFIX + name;
  }, [name, forget]);

  useEffect(() => {
    const here = element();
    if (!here) return;
    const shown = JSON.stringify(typedInto(here));
    if (!isRestored) abandoned.delete(key.current);
    untouched.current = isRestored && !abandoned.has(key.current) ? "" : shown;
    if (isRestored) here.closest("details")?.setAttribute("open", "");
    if (cursor.form === form) {
      const others = [...here.querySelectorAll("[data-then=stay], .form-more")];
      const field = here.elements[cursor.name] ?? others.find((one) => /** @type {HTMLElement} */ (one).offsetParent);
      field?.focus();
      // Some inputs have no cursor, and the one that had it may be gone.
      if (cursor.at != null) field?.setSelectionRange?.(cursor.at, cursor.at);
    }
    cursor = NOWHERE;
    const restoreTexts = (texts, was = NOWHERE) => {
      // This form is about to be removed, and what it shows is not newer.
      untouched.current = JSON.stringify(typedInto(here));
      requested.set(key.current, texts);
      sessionStorage.setItem(key.current, texts);
      try { restore.current(JSON.parse(texts)); } catch { return; }
      isAwaited.current = true;
      cursor = was;
      waitForTexts(here);
    };
    // The texts stay in the browser until they are saved or discarded, also if the form is rendered without them.
    const kept = sessionStorage.getItem(key.current);
    const step = restoreStep(kept, shown, isRestored, requested.get(key.current));
    if (step === "remove") forget();
    if (step === "restore") restoreTexts(kept);
    // The state after a lost connection may lack added rows, or have a newer change of another user.
    const stopWatching = onConnection((what) => {
      if (what !== "arrived") return;
      const before = isDirty() ? JSON.stringify(typedInto(here)) : null;
      const was = here.contains(document.activeElement) ? cursorIn(here) : NOWHERE;
      setTimeout(() => {
        if (!here.isConnected) return;
        const after = JSON.stringify(typedInto(here));
        if (before && before !== after) restoreTexts(before, was);
        if (!before) untouched.current = after;
      });
    });
    let pause;
    const typed = () => {
      sent.current = false;
      clearTimeout(pause);
      pause = setTimeout(storeTexts, 400);
    };
    // On the window: a busy form stops a second submission before it gets here.
    const submitted = (event) => {
      if (event.target !== here) return;
      storeTexts();
      sent.current = true;
      submission.current = typedInto(here);
    };
    const submit = (then) => {
      const field = /** @type {HTMLInputElement} */ (here.elements.namedItem("then"));
      field.value = then;
      here.requestSubmit();
      field.value = "";
    };
    const clicked = ({target}) => {
      const button = target.closest("button[data-then]");
      if (button) submit(button.dataset.then);
    };
    const keys = (event) => {
      if (!isCommand(event, "s")) return;
      event.preventDefault();
      const isMeant = keeping.length === 1 || here.contains(document.activeElement);
      // A draft stays a draft.
      if (isMeant && !here.inert && !event.repeat) submit(typedInto(here).draft_id ? "draft" : "stay");
    };
    const leaving = (event) => { if (isDirty() && !sent.current) { storeTexts(); event.preventDefault(); } };
    const hidden = () => { if (document.visibilityState === "hidden") storeTexts(); };
    here.addEventListener("input", typed);
    here.addEventListener("click", clicked);
    window.addEventListener("submit", submitted);
    window.addEventListener("keydown", keys);
    window.addEventListener("beforeunload", leaving);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      clearTimeout(pause);
      stopWatching();
      here.removeEventListener("input", typed);
      here.removeEventListener("click", clicked);
      window.removeEventListener("submit", submitted);
      window.removeEventListener("keydown", keys);
      window.removeEventListener("beforeunload", leaving);
      document.removeEventListener("visibilitychange", hidden);
    };
  }, []);
  // What was sent is stored, and is now the unchanged value.
  const seen = useRef(saves);
  useLayoutEffect(() => {
    if (seen.current === saves) return;
    seen.current = saves;
    const here = element();
    const texts = {...stored.texts, record: stored.id, version: stored.version};
    const show = (field, text) => {
      field.value = text;
      field.dispatchEvent(new Event("filled"));
    };
    untouched.current = JSON.stringify(settle(submission.current, texts, (name) => here.elements[name], show));
    forget();
    if (!destination) { storeTexts(); return; }
    const [path] = destination.split("?");
    if (isStaying) { storeTexts(); cursor = cursorIn(element()); }
    navigate(destination, {replace: isStaying, preventScrollReset: isStaying || path === location.pathname});
  }, [saves]);
  // The form may be unmounted by a restart or a lost connection. Its inputs still exist at this moment.
  useLayoutEffect(() => () => { if (!left.current) storeTexts(); }, [storeTexts]);

  const self = useRef(null);
  self.current = {
    holds(nextLocation) {
      if (!isDirty()) { if (!isAwaited.current) forget(); return false; }
      if (nextLocation.pathname === signIn) { storeTexts(); return false; }
      if (sent.current) { left.current = true; forget(); return false; }
      return true;
    },
    leave() {
      left.current = true;
      forget();
      abandoned.add(key.current);
    },
  };
  useLayoutEffect(() => {
    const tell = () => { for (const watcher of watchers) watcher(); };
    keeping.push(self);
    tell();
    return () => { keeping.splice(keeping.indexOf(self), 1); tell(); };
  }, []);
  const isFirst = useSyncExternalStore(watchKeeping, () => keeping[0] === self, () => false);
  const discard = async () => {
    if (!await ask(props.discardQuestion)) return;
    left.current = true;
    forget();
    onDiscard();
  };
  return (
    <>
      {isFirst && <LeavingQuestion question={question} />}
      {isRestored && (
        <div className="backoffice-note" role="status">
          <p>{props.restoredText}</p>
          <Button type="button" variant="outline" size="sm" onClick={discard}>{props.discardLabel}</Button>
        </div>
      )}
    </>
  );
}

export function AskBeforeLeaving({forms, signIn, question}) {
  const isDirty = useCallback(() => {
    const typed = (one) => "defaultValue" in one && one.value !== one.defaultValue;
    const fields = [...document.querySelectorAll(forms)].flatMap((form) => [...form.elements]);
    return fields.some((one) => typed(one) && one.autocomplete !== "current-password");
  }, [forms]);
  useEffect(() => {
    const leaving = (event) => { if (isDirty()) event.preventDefault(); };
    window.addEventListener("beforeunload", leaving);
    return () => window.removeEventListener("beforeunload", leaving);
  }, [isDirty]);
  const blocker = useBlocker(useCallback(({currentLocation, nextLocation}) =>
    currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== signIn && isDirty(),
    [isDirty, signIn]));
  useQuestion(blocker, question);
  return null;
}
