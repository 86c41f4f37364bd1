// @ts-check
// Radio buttons bound to Reflex's colour mode; see sitekit/admin/components/browser.py.
import { useContext } from "react";
import { Radio, RadioGroup } from "@chakra-ui/react";
import { ColorModeContext } from "$/framework/reflex.js";

export function ThemeChoice({ options, label }) {
  const { rawColorMode, setColorMode } = useContext(ColorModeContext);
  return (
    <RadioGroup value={rawColorMode} onChange={setColorMode} aria-label={label} className="theme-choice">
      {options.map(([mode, text]) => <Radio key={mode} value={mode}>{text}</Radio>)}
    </RadioGroup>
  );
}
