// @ts-check
// Menus behind a button, and their items; see sitekit/admin/components/menus.py.
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { changedAddress } from "./address.js";
import { ask } from "./confirm.jsx";
import { buttonLook } from "./controls.jsx";
import { Icon } from "./icon.jsx";
import { fetchChakra, useChakra } from "./later.jsx";

const OPENS = ["Enter", "ArrowDown", "ArrowUp"]; // and Space, by a click
const DOTS = "M5.5 12h.01M12 12h.01M18.5 12h.01";

/**
 * A button with the first child that opens a menu of the others. Chakra takes its place when it is pressed first.
 * @param {any} props
 */
export function ActionMenu({ children: [face, ...children], placement = "bottom-end", isInMain, listClass, ...rest }) {
  const [isWanted, setWanted] = useState(false);
  const chakra = useChakra(isWanted);
  const button = { ...rest, children: face };
  const press = (/** @type {any} */ event) => {
    if (event.type === "keydown" && !OPENS.includes(event.key)) return;
    event.preventDefault();
    setWanted(true);
  };
  if (chakra && isWanted) return <chakra.OpenedMenu {...{ placement, isInMain, listClass, children }} face={button} />;
  return (
    <button type="button" {...button} aria-haspopup="menu" aria-expanded={false} onPointerEnter={fetchChakra}
      onFocus={fetchChakra} onClick={press} onKeyDown={press} />
  );
}

/**
 * The menu of a row behind a "..." button.
 * @param {any} props
 */
export function RowMenu({ label, children }) {
  const look = buttonLook({ variant: "ghost", size: "sm", className: "row-menu" });
  return (
    <ActionMenu {...look} aria-label={label} isInMain listClass="row-menu-list">
      <Icon path={DOTS} />
      {children}
    </ActionMenu>
  );
}

// Items are rendered in an open menu alone, so Chakra is here.

/** @param {any} props */
export function MenuItem(props) {
  const chakra = useChakra();
  return chakra && <chakra.MenuItem {...props} />;
}

/** @param {any} props */
export function MenuLink(props) {
  return <MenuItem {...props} as={Link} />;
}

export function MenuDivider() {
  const chakra = useChakra();
  return chakra && <chakra.MenuDivider />;
}

/**
 * A link that changes some query parameters, as an item.
 * @param {any} props
 */
export function AddressItem({ change, ...rest }) {
  return <MenuLink {...rest} to={changedAddress(useLocation(), change)} preventScrollReset />;
}

/**
 * An item that acts if the user agrees to its question.
 * @param {any} props
 */
export function ConfirmItem({ question, onConfirm, ...rest }) {
  // The item goes with its menu, so the menu's button gets the focus.
  const press = async (/** @type {any} */ { currentTarget }) => {
    const menu = currentTarget.closest("[role=menu]");
    if (await ask(question, document.querySelector(`[aria-controls="${menu.id}"]`))) onConfirm();
  };
  return <MenuItem {...rest} onClick={press} />;
}
