// What keeps typed text safe; ui/unsaved.py says when.
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { Button } from "@chakra-ui/react";
import { restoring } from "./connection.js";
import { onConnection } from "./live_socket.js";

function typedInto(form) {
  return Object.fromEntries([...new FormData(form).entries()].filter(([, value]) => typeof value === "string"));
}

export function UnsavedChanges(props) {
  const {form, draft, sentence, attempt, isRestored, signIn, onRestore, onDiscard} = props;
  const untouched = useRef(null);
  const sent = useRef(false);
  const left = useRef(false);
  const restore = useRef(onRestore);
  useEffect(() => { restore.current = onRestore; });
  useEffect(() => { sent.current = false; }, [attempt]);
  const element = useCallback(() => document.getElementById(form), [form]);
  const isDirty = useCallback(() => {
    const here = element();
    return Boolean(here) && !left.current && JSON.stringify(typedInto(here)) !== untouched.current;
  }, [element]);
  const key = "draft:" + draft;
  const keep = useCallback(() => {
    try {
      if (isDirty()) sessionStorage.setItem(key, JSON.stringify(typedInto(element())));
    } catch {}
  }, [key, isDirty, element]);
  const forget = useCallback(() => { try { sessionStorage.removeItem(key); } catch {} }, [key]);

  useEffect(() => {
    const here = element();
    if (!here) return;
    untouched.current = isRestored ? "" : JSON.stringify(typedInto(here));
    let kept = null;
    try { kept = sessionStorage.getItem(key); } catch {}
    forget();
    const giveBack = (texts) => {
      restoring(here);
      try { restore.current?.(JSON.parse(texts)); } catch {}
    };
    if (kept && kept !== untouched.current && !isRestored) giveBack(kept);
    // What comes after a lost connection may lack rows that were added, or hold somebody else's newer change.
    const stopWatching = onConnection((what) => {
      if (what !== "arrived") return;
      const before = isDirty() ? JSON.stringify(typedInto(here)) : null;
      setTimeout(() => {
        if (!here.isConnected) return;
        const after = JSON.stringify(typedInto(here));
        if (before && before !== after) giveBack(before);
        if (!before) untouched.current = after;
      });
    });
    let pause;
    const typed = () => {
      sent.current = false;
      clearTimeout(pause);
      pause = setTimeout(keep, 400);
    };
    const submitted = () => { keep(); sent.current = true; };
    const keys = (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
        event.preventDefault();
        here.requestSubmit();
      }
    };
    const leaving = (event) => { if (isDirty() && !sent.current) { keep(); event.preventDefault(); } };
    const hidden = () => { if (document.visibilityState === "hidden") keep(); };
    here.addEventListener("input", typed);
    here.addEventListener("submit", submitted, true);
    window.addEventListener("keydown", keys);
    window.addEventListener("beforeunload", leaving);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      clearTimeout(pause);
      stopWatching();
      here.removeEventListener("input", typed);
      here.removeEventListener("submit", submitted, true);
      window.removeEventListener("keydown", keys);
      window.removeEventListener("beforeunload", leaving);
      document.removeEventListener("visibilitychange", hidden);
    };
  }, []);
  // The form may go for reasons of the server's: a restart, a lost connection. Its inputs still stand at this moment.
  useLayoutEffect(() => () => { if (!left.current) keep(); }, [keep]);

  const blocker = useBlocker(useCallback(({currentLocation, nextLocation}) => {
    const same = (one) => one.pathname + one.search;
    if (same(currentLocation) === same(nextLocation)) return false;
    if (!isDirty()) { forget(); return false; }
    if (nextLocation.pathname === signIn) { keep(); return false; }
    if (sent.current) { left.current = true; forget(); return false; }
    return true;
  }, [isDirty, keep, forget, signIn]));
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(sentence)) { left.current = true; forget(); blocker.proceed(); } else blocker.reset();
  }, [blocker, sentence, forget]);
  const discard = () => {
    if (!window.confirm(props.discardSentence)) return;
    left.current = true;
    forget();
    onDiscard();
  };
  if (!isRestored) return null;
  return (
    <div className="office-note" role="status">
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
