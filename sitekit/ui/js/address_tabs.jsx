// @ts-check
// Tabs bound to the query parameter "tab"; see sitekit/admin/components/address.py.
import { useLocation, useNavigate } from "react-router";
import { Tab, TabList, TabPanel, TabPanels, Tabs } from "@chakra-ui/react";
import { parameterOf } from "./address.js";
import { Strip } from "./strip.jsx";

export function AddressTabs({ names, labels, label, children }) {
  const location = useLocation();
  const navigate = useNavigate();
  const panels = [...children];
  const places = panels.pop();
  const index = Math.max(0, names.indexOf(parameterOf(location, "tab")));
  const choose = (next) => {
    if (next !== index) navigate({ pathname: location.pathname, search: "?tab=" + names[next] });
  };
  // Not left to Chakra, which would choose the tab here when it is opened in another browser tab.
  const press = (next) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) { event.stopPropagation(); return; }
    event.preventDefault();
    choose(next);
  };
  return (
    <Tabs index={index} onChange={choose} isManual className="backoffice-tabs" id="backoffice">
      <Strip current={index}>
        <TabList aria-label={label}>
          {labels.map((text, i) => (
            <Tab key={names[i]} as="a" href={"?tab=" + names[i]} onClickCapture={press(i)}>{text}</Tab>
          ))}
        </TabList>
        {places}
      </Strip>
      <TabPanels>
        {names.map((name, i) => <TabPanel key={name} padding={0}>{i === index ? panels[i] : null}</TabPanel>)}
      </TabPanels>
    </Tabs>
  );
}
