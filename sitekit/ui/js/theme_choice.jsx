// @ts-check
// Radio buttons bound to Reflex's colour mode; see sitekit/admin/components/browser.py.
import { useContext } from "react";
import { Tick } from "./controls.jsx";
import { ColorModeContext } from "$/framework/reflex.js";

export function ThemeChoice({ options, label }) {
  const { rawColorMode, setColorMode } = useContext(ColorModeContext);
  return (
    <div role="radiogroup" aria-label={label} className="theme-choice">
      {options.map(([mode, text]) => (
        <Tick key={mode} type="radio" name="theme" value={mode} isChecked={mode === rawColorMode} onTick={() => setColorMode(mode)}>
          {text}
        </Tick>
      ))}
    </div>
  );
}
