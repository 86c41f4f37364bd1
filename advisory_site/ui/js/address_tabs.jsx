// Tabs bound to the query parameter "tab"; see ui/backoffice/address.py.
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { Tab, TabList, TabPanel, TabPanels, Tabs } from "@chakra-ui/react";
import { parameterOf } from "./address.js";

export function AddressTabs({ names, labels, label, children }) {
  const location = useLocation();
  const navigate = useNavigate();
  const panels = Array.isArray(children) ? children : [children];
  const index = Math.max(0, names.indexOf(parameterOf(location, "tab")));
  const strip = useRef(null);
  useEffect(() => {
    // On a phone the selected tab may be out of view.
    strip.current?.querySelectorAll("[role=tab]")[index]?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [index]);
  const choose = (next) => {
    if (next !== index) navigate({ pathname: location.pathname, search: "?tab=" + names[next] });
  };
  return (
    <Tabs index={index} onChange={choose} isManual className="backoffice-tabs" id="backoffice">
      <div className="backoffice-tab-strip" ref={strip}>
        <TabList aria-label={label}>{labels.map((text, i) => <Tab key={names[i]}>{text}</Tab>)}</TabList>
      </div>
      <TabPanels>
        {names.map((name, i) => <TabPanel key={name} padding={0}>{i === index ? panels[i] : null}</TabPanel>)}
      </TabPanels>
    </Tabs>
  );
}
