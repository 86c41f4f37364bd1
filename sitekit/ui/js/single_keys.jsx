// @ts-check
// The choice whether keys without Ctrl are shortcuts; see sitekit/admin/components/browser.py.
import { useEffect, useState } from "react";
import { Tick } from "./controls.jsx";
import { areSingleKeysOn, turnSingleKeys } from "./shortcuts.js";

export function SingleKeys({ label }) {
  const [isOn, setOn] = useState(true);
  useEffect(() => setOn(areSingleKeysOn()), []);
  const choose = (/** @type {boolean} */ isWanted) => {
    turnSingleKeys(isWanted);
    setOn(isWanted);
  };
  return <Tick isChecked={isOn} onTick={choose}>{label}</Tick>;
}
