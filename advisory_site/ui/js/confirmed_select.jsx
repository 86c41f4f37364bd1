// A select whose choice is sent only when it is confirmed; see ui/backoffice/confirmed_select.py.
import { useEffect, useSyncExternalStore } from "react";
import { Button, Select } from "@chakra-ui/react";
import { useChange } from "./change.js";

// In ms. Without an answer for this long, the choice counts as lost and may be sent again.
const MS_TO_ANSWER = 10000;

// What is chosen and not confirmed yet, by the select's id: {value, isSending}.
let choices = new Map();
const readers = new Set();
function subscribe(read) {
  readers.add(read);
  return () => readers.delete(read);
}
function choose(id, choice) {
  if (!choice && !choices.has(id)) return;
  choices = new Map(choices);
  if (choice) choices.set(id, choice);
  else choices.delete(id);
  readers.forEach((read) => read());
}
function useChoice(id) {
  return useSyncExternalStore(subscribe, () => choices.get(id), () => undefined);
}

export function ConfirmedSelect({ id, value, options, label, answers }) {
  const choice = useChoice(id);
  // If the stored value has changed or the row is gone, there is nothing to confirm.
  useEffect(() => () => choose(id), [id, value]);
  useChange(answers, () => { if (choices.get(id)?.isSending) choose(id); });
  const change = (event) => {
    if (choice?.isSending) return;
    choose(id, event.target.value === value ? null : { value: event.target.value });
  };
  const leave = (event) => { if (event.key === "Escape" && !choice?.isSending) choose(id); };
  return (
    <Select id={id} size="sm" width="auto" aria-label={label} value={choice?.value ?? value} onChange={change}
      onKeyDown={leave} data-is-changed={choice ? "" : undefined}>
      {options.map(([one, text]) => <option key={one} value={one}>{text}</option>)}
    </Select>
  );
}

export function SelectConfirmation({ id, options, subject, notes, labels, onConfirm }) {
  const choice = useChoice(id);
  const isSending = choice?.isSending ?? false;
  useEffect(() => {
    if (!isSending) return;
    const timer = setTimeout(() => choose(id, { value: choices.get(id)?.value }), MS_TO_ANSWER);
    return () => clearTimeout(timer);
  }, [id, isSending]);
  if (!choice) return null;
  // The buttons are about to be removed, so the select gets the focus.
  const back = () => document.getElementById(id)?.focus();
  const cancel = () => { choose(id); back(); };
  const confirm = () => { choose(id, { ...choice, isSending: true }); back(); onConfirm(choice.value); };
  const leave = (event) => { if (event.key === "Escape" && !isSending) cancel(); };
  const text = options.find(([one]) => one === choice.value)[1];
  return (
    <div className="select-confirmation">
      <p role="status">{notes[choice.value]}</p>
      <div>
        <Button size="sm" type="button" isLoading={isSending} onClick={confirm} onKeyDown={leave}>
          {labels.confirm} {text}<span className="visually-hidden"> {subject}</span>
        </Button>
        <Button size="sm" type="button" variant="ghost" isDisabled={isSending} onClick={cancel} onKeyDown={leave}>
          {labels.cancel}
        </Button>
      </div>
    </div>
  );
}
