// The menu of a row behind a "..." button; see ui/backoffice/row_actions.py.
import { Button, Menu, MenuButton, MenuList, Portal } from "@chakra-ui/react";
import { Icon } from "./icon.jsx";

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
          {isOpen && <Portal><MenuList className="row-menu-list">{children}</MenuList></Portal>}
        </>
      )}
    </Menu>
  );
}
