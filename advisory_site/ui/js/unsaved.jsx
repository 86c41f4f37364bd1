// Keeps what is typed as a draft in the browser; see ui/backoffice/unsaved.py.
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useBlocker, useLocation, useNavigate } from "react-router";
import { Button } from "@chakra-ui/react";
import { waitForDraft } from "./connection.js";
import { onConnection } from "./live_socket.js";

// The position of the cursor in a form that is about to be remounted.
const NOWHERE = { form: "", name: "", at: null };
let cursor = NOWHERE;
// The texts that were last sent to the server to restore, by the name of the draft.
const requested = new Map();

function cursorIn(form) {
  const { name, selectionEnd } = document.activeElement;
  return { form: form.id, name: name ?? "", at: selectionEnd ?? null };
}

// What the button adds while it submits the form is not typed.
const OF_THE_BUTTON = ["then", "submission"];

function typedInto(form) {
  const texts = [...new FormData(form).entries()].filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts.filter(([name]) => !OF_THE_BUTTON.includes(name)));
}

export function UnsavedChanges(props) {
  const {form, draft, sentence, timesRefused, isRestored, saves, stored, destination, isStaying, signIn} = props;
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
  const element = useCallback(() => document.getElementById(form), [form]);
  const isDirty = useCallback(() => {
    const here = element();
    return Boolean(here) && !left.current && JSON.stringify(typedInto(here)) !== untouched.current;
  }, [element]);
  const key = useRef("draft:" + draft);
  const storeDraft = useCallback(() => {
    try {
      if (isDirty()) sessionStorage.setItem(key.current, JSON.stringify(typedInto(element())));
    } catch {}
  }, [isDirty, element]);
  const isAwaited = useRef(false);
  const removeDraft = useCallback(() => {
    isAwaited.current = false;
    try { sessionStorage.removeItem(key.current); } catch {}
  }, []);
  useLayoutEffect(() => {
    // A record that was saved may have another address, and its draft another name.
    if (key.current !== "draft:" + draft) removeDraft();
    key.current = "draft:" + draft;
  }, [draft, removeDraft]);

  useEffect(() => {
    const here = element();
    if (!here) return;
    const shown = JSON.stringify(typedInto(here));
    untouched.current = isRestored ? "" : shown;
    if (cursor.form === form) {
      const field = here.elements[cursor.name] ?? here.querySelector("[data-then=stay]");
      field.focus();
      // Some inputs have no cursor, and the one that had it may be gone.
      if (cursor.at != null) field.setSelectionRange?.(cursor.at, cursor.at);
    }
    cursor = NOWHERE;
    const restoreDraft = (texts, was = NOWHERE) => {
      // This form is about to be removed, and what it shows is not a newer draft.
      untouched.current = JSON.stringify(typedInto(here));
      requested.set(key.current, texts);
      try { sessionStorage.setItem(key.current, texts); } catch {}
      try { restore.current(JSON.parse(texts)); } catch { return; }
      isAwaited.current = true;
      cursor = was;
      waitForDraft(here);
    };
    // The draft stays in the browser until it is saved or discarded, also if the form is rendered without it.
    let kept = null;
    try { kept = sessionStorage.getItem(key.current); } catch {}
    const isShown = !kept || kept === shown;
    if (isShown && !isRestored) removeDraft();
    // A form may show an older draft than the browser has, as after a reload.
    if (!isShown && !(isRestored && kept === requested.get(key.current))) restoreDraft(kept);
    // The state after a lost connection may lack added rows, or have a newer change of another user.
    const stopWatching = onConnection((what) => {
      if (what !== "arrived") return;
      const before = isDirty() ? JSON.stringify(typedInto(here)) : null;
      const was = here.contains(document.activeElement) ? cursorIn(here) : NOWHERE;
      setTimeout(() => {
        if (!here.isConnected) return;
        const after = JSON.stringify(typedInto(here));
        if (before && before !== after) restoreDraft(before, was);
        if (!before) untouched.current = after;
      });
    });
    let pause;
    const typed = () => {
      sent.current = false;
      clearTimeout(pause);
      pause = setTimeout(storeDraft, 400);
    };
    // On the window: a busy form stops a second submission before it gets here.
    const submitted = (event) => {
      if (event.target !== here) return;
      storeDraft();
      sent.current = true;
      submission.current = typedInto(here);
    };
    const submit = (then) => {
      here.elements.then.value = then;
      here.requestSubmit();
      here.elements.then.value = "";
    };
    const clicked = ({target}) => {
      const button = target.closest("button[data-then]");
      if (button) submit(button.dataset.then);
    };
    const keys = (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
        event.preventDefault();
        if (!here.inert) submit("stay");
      }
    };
    const leaving = (event) => { if (isDirty() && !sent.current) { storeDraft(); event.preventDefault(); } };
    const hidden = () => { if (document.visibilityState === "hidden") storeDraft(); };
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
  // What was sent is stored, and is now the unchanged value. Texts that were stored in another form than typed are
  // shown as stored, unless they were edited since.
  const seen = useRef(saves);
  useLayoutEffect(() => {
    if (seen.current === saves) return;
    seen.current = saves;
    const here = element();
    const settled = {...submission.current};
    for (const [name, value] of Object.entries({...stored.texts, record: stored.id, version: stored.version})) {
      const field = here.elements[name];
      if (!(name in settled) || !field || field.type === "checkbox") continue;
      const isTypedSince = field.type !== "hidden" && field.value !== settled[name];
      settled[name] = String(value);
      if (isTypedSince) continue;
      field.value = settled[name];
      field.dispatchEvent(new Event("filled"));
    }
    untouched.current = JSON.stringify(settled);
    removeDraft();
    if (!destination) { storeDraft(); return; }
    const [path] = destination.split("?");
    if (isStaying) { storeDraft(); cursor = cursorIn(element()); }
    navigate(destination, {replace: isStaying, preventScrollReset: isStaying || path === location.pathname});
  }, [saves]);
  // The form may be unmounted by a restart or a lost connection. Its inputs still exist at this moment.
  useLayoutEffect(() => () => { if (!left.current) storeDraft(); }, [storeDraft]);

  const blocker = useBlocker(useCallback(({currentLocation, nextLocation}) => {
    const same = (one) => one.pathname + one.search;
    if (same(currentLocation) === same(nextLocation)) return false;
    if (!isDirty()) { if (!isAwaited.current) removeDraft(); return false; }
    if (nextLocation.pathname === signIn) { storeDraft(); return false; }
    if (sent.current) { left.current = true; removeDraft(); return false; }
    return true;
  }, [isDirty, storeDraft, removeDraft, signIn]));
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(sentence)) { left.current = true; removeDraft(); blocker.proceed(); } else blocker.reset();
  }, [blocker, sentence, removeDraft]);
  const discard = () => {
    if (!window.confirm(props.discardSentence)) return;
    left.current = true;
    removeDraft();
    onDiscard();
  };
  if (!isRestored) return null;
  return (
    <div className="backoffice-note" role="status">
      <p>{props.restoredText}</p>
      <Button type="button" variant="outline" size="sm" onClick={discard}>{props.discardLabel}</Button>
    </div>
  );
}

export function AskBeforeLeaving({forms, signIn, sentence}) {
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
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(sentence)) blocker.proceed(); else blocker.reset();
  }, [blocker, sentence]);
  return null;
}
