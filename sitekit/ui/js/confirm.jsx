// @ts-check
// Asks before what has consequences: one dialog for all questions; see sitekit/admin/components/confirm.py.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { useChange } from "./change.js";
import { Button, Field, Input, Select } from "./controls.jsx";
import { useChakra } from "./later.jsx";
import { BrokenImageFallback } from "./picture.jsx";

const DAY = 86_400_000; // ms
const ANSWER_TIMEOUT = 10_000; // ms, after which a choice counts as lost

// The question that is open, with the element that gets the focus afterwards and the function that takes the answer.
let open = null;
let count = 0;
const readers = new Set();
function subscribe(read) {
  readers.add(read);
  return () => readers.delete(read);
}
function show(next) {
  open = next;
  readers.forEach((read) => read());
}

/** Ask a question; the promise is whether the user agrees, or what they typed if they had to. */
export function ask(question, opener = document.activeElement) {
  open?.answer(false);
  return new Promise((resolve) => {
    const answer = (isAgreed) => { show(null); resolve(isAgreed); };
    show({ question, opener, answer, number: ++count });
  });
}

const inDays = (days) =>
  new Date(Date.now() + days * DAY).toLocaleDateString("en-GB", { day: "numeric", month: "long" });

// An email address that does not fit into a line breaks before its @.
const breaking = (text) => text.split(/(\S+@\S+)/).map((part, place) => {
  if (place % 2 === 0) return part;
  const at = part.indexOf("@");
  return <span key={place} className="question-address">{part.slice(0, at)}<wbr />{part.slice(at)}</span>;
});

function Subject({ name, picture, fallback, look }) {
  return (
    <p className="question-subject">
      {picture !== undefined && (
        <BrokenImageFallback src={picture} fallback={fallback} className={look} alt="" width="40" height="40" />
      )}
      <strong>{name}</strong>
    </p>
  );
}

function Question({ question, opener, answer }) {
  const { sentence, name, note, days, yes, no, isDanger, typed, label, ...look } = question;
  const [text, setText] = useState("");
  const first = useRef(null);
  const chakra = useChakra();
  const [head, ...rest] = sentence.split("\n");
  const more = rest.join("\n").trim();
  const isTyped = !typed || text.trim().toLowerCase() === typed.toLowerCase();
  const agree = () => { if (isTyped) answer(typed ? text : true); };
  const onEnter = (event) => {
    if (event.key !== "Enter") return;
    // The opener gets the focus, and would be pressed by the same key.
    event.preventDefault();
    agree();
  };
  if (!chakra) return null;
  const { Modal, ModalBody, ModalContent, ModalFooter, ModalHeader, ModalOverlay } = chakra;
  return (
    <Modal isOpen isCentered onClose={() => answer(false)} initialFocusRef={first} finalFocusRef={{ current: opener }}
      motionPreset="none" scrollBehavior="inside" blockScrollOnMount={false}>
      <ModalOverlay className="backoffice-overlay" />
      <ModalContent className="question" role="alertdialog">
        <ModalHeader as="h2">{breaking(head)}</ModalHeader>
        <ModalBody>
          {name && <Subject name={name} {...look} />}
          {note && <p>{note.replace("{date}", inDays(days))}</p>}
          {more && <p className="question-rest">{more}</p>}
          {typed && (
            <Field label={label}>
              <Input ref={first} value={text} onChange={(event) => setText(event.target.value)} onKeyDown={onEnter}
                autoComplete="off" autoCapitalize="none" spellCheck={false} />
            </Field>
          )}
        </ModalBody>
        <ModalFooter>
          <Button ref={typed ? undefined : first} type="button" variant="outline" onClick={() => answer(false)}>{no}</Button>
          <Button type="button" data-is-danger={isDanger || undefined} isDisabled={!isTyped} onClick={agree}>{yes}</Button>
        </ModalFooter>
      </ModalContent>
    </Modal>
  );
}

/** The place of the open question; once per page. */
export function Questions() {
  const asked = useSyncExternalStore(subscribe, () => open, () => null);
  const { key } = useLocation();
  // Another page has come: the question was about the one before.
  useEffect(() => () => open?.answer(false), [key]);
  return asked && <Question key={asked.number} {...asked} />;
}

export function ConfirmButton({ question, onConfirm, children, ...rest }) {
  const press = async () => {
    const agreed = await ask(question);
    if (agreed) onConfirm(agreed);
  };
  return <Button {...rest} type="button" onClick={press}>{children}</Button>;
}

export function AskAgain({ question, times, then }) {
  const button = useRef(null);
  useChange(times, async () => {
    const opener = button.current.form.querySelector("[type=submit]");
    if (question.sentence && await ask(question, opener)) button.current?.click();
  });
  return <button ref={button} type="button" hidden data-then={then} />;
}

export function ConfirmSelect({ value, options, questions, label, answers, onConfirm }) {
  // What is chosen and not answered yet; null for nothing.
  const [choice, setChoice] = useState(null);
  const timer = useRef(0);
  const reset = () => { clearTimeout(timer.current); setChoice(null); };
  useChange(answers, reset);
  const change = async ({ target }) => {
    const chosen = target.value;
    reset();
    if (chosen === value) return;
    setChoice(chosen);
    if (!await ask(questions[chosen], target)) return reset();
    timer.current = setTimeout(reset, ANSWER_TIMEOUT);
    onConfirm(chosen);
  };
  return (
    <Select size="sm" isNarrow aria-label={label} value={choice ?? value} onChange={change}>
      {options.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
    </Select>
  );
}
