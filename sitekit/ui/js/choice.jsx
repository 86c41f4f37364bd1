// @ts-check
// A choice among a few texts, or a typed one. The form reads the input, which is visible only for a typed text.
import { useEffect, useRef, useState } from "react";
import { Input, Select } from "./controls.jsx";

const OWN = "own";

export function ChoiceInput({ name, choices, none, own, ownLabel, defaultValue }) {
  const input = useRef(null);
  const isFocusWanted = useRef(false);
  const [chosen, setChosen] = useState(choices.includes(defaultValue) ? defaultValue : OWN);
  const isOwn = chosen === OWN;
  useEffect(() => {
    const here = input.current;
    const filled = () => setChosen(choices.includes(here.value) ? here.value : OWN);
    filled();
    here.addEventListener("filled", filled);
    return () => here.removeEventListener("filled", filled);
  }, []);
  useEffect(() => {
    if (isOwn && isFocusWanted.current) input.current.select();
    isFocusWanted.current = false;
  }, [isOwn]);
  const choose = (event) => {
    const next = event.target.value;
    setChosen(next);
    isFocusWanted.current = next === OWN;
    if (next === OWN) return;
    input.current.value = next;
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return (
    <div className="choice">
      <Select value={chosen} onChange={choose}>
        {choices.map((choice) => <option key={choice} value={choice}>{choice || none}</option>)}
        <option value={OWN}>{own}</option>
      </Select>
      <Input ref={input} id={`${name}-own`} name={name} defaultValue={defaultValue} aria-label={ownLabel} hidden={!isOwn} />
    </div>
  );
}
