// @ts-check
// The choice whether keys without Ctrl are shortcuts; see sitekit/admin/components/browser.py.
import { useEffect, useState } from "react";
import { Checkbox } from "@chakra-ui/react";
import { areSingleKeysOn, turnSingleKeys } from "./shortcuts.js";

export function SingleKeys({ label }) {
  const [isOn, setOn] = useState(true);
  useEffect(() => setOn(areSingleKeysOn()), []);
  const choose = ({ target }) => {
    turnSingleKeys(target.checked);
    setOn(target.checked);
  };
  return <Checkbox isChecked={isOn} onChange={choose}>{label}</Checkbox>;
}
