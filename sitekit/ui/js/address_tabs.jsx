// @ts-check
// Tabs bound to the query parameter "tab"; see sitekit/admin/components/address.py.
import { Link } from "react-router";
import { parameterOf, useAddress } from "./address.js";
import { Strip } from "./strip.jsx";

const PANEL = "tab-panel";

// Arrow keys, Home and End move between the tabs; Space chooses one, as Enter does.
function onTabKey(event) {
  const tabs = [...event.currentTarget.children];
  const here = tabs.indexOf(event.target);
  const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: -1 }[event.key];
  if (to === undefined && event.key !== " ") return;
  event.preventDefault();
  if (to === undefined) event.target.click();
  else tabs.at(to % tabs.length).focus();
}

export function AddressTabs({ names, labels, label, children }) {
  const location = useAddress();
  const panels = [...children];
  const places = panels.pop();
  const current = Math.max(0, names.indexOf(parameterOf(location, "tab")));
  const tabId = (/** @type {number} */ index) => `tab-${names[index] || "home"}`;
  return (
    <div className="backoffice-tabs">
      <Strip current={current}>
        <div role="tablist" aria-label={label} className="strip-links" onKeyDown={onTabKey}>
          {labels.map((text, i) => (
            <Link key={names[i]} id={tabId(i)} role="tab" aria-selected={i === current} aria-controls={PANEL} tabIndex={i === current ? 0 : -1}
              to={`?tab=${names[i]}`} className="strip-link">
              {text}
            </Link>
          ))}
        </div>
        {places}
      </Strip>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what follows a tab is its panel, also one without controls */}
      <div key={names[current]} id={PANEL} role="tabpanel" aria-labelledby={tabId(current)} tabIndex={0}>
        {panels[current]}
      </div>
    </div>
  );
}
