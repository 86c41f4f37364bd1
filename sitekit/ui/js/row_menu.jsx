// @ts-check
// The menu of a row behind a "..." button; see sitekit/admin/components/row_actions.py.
import { Menu, MenuButton, MenuList, Portal } from "@chakra-ui/react";
import { Button } from "./controls.jsx";
import { Icon } from "./icon.jsx";

// Within the landmark, but outside the table, which cuts off what is larger.
const MAIN = { get current() { return document.querySelector("main"); } };
const DOTS = "M5.5 12h.01M12 12h.01M18.5 12h.01";

export function RowMenu({ label, children }) {
  // The list is rendered only while it is open, so that a hundred closed menus cost little.
  return (
    <Menu placement="bottom-end" isLazy>
      {({ isOpen }) => (
        <>
          <MenuButton as={Button} variant="ghost" size="sm" className="row-menu" aria-label={label}>
            <Icon path={DOTS} />
          </MenuButton>
          {isOpen && (
            <Portal containerRef={MAIN}><MenuList className="row-menu-list">{children}</MenuList></Portal>
          )}
        </>
      )}
    </Menu>
  );
}
