// @ts-check
// Chakra's menus and dialogs, each within its provider, without its colour mode, reset and toasts. Only later.jsx imports
// this, so that a page does not load it before it is needed.
import { useLayoutEffect, useRef } from "react";
import {
  Modal as ChakraModal, ColorModeContext, EnvironmentProvider, extendTheme, Menu, MenuList, Portal, ThemeProvider, useMenuButton,
} from "@chakra-ui/react";
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { THEME } from "./chakra_theme.js";

export { MenuDivider, MenuItem, ModalBody, ModalCloseButton, ModalContent, ModalFooter, ModalHeader, ModalOverlay } from "@chakra-ui/react";

const LIGHT = { colorMode: "light", forced: true, toggleColorMode: () => {}, setColorMode: () => {} };
// Within the landmark, but outside the table, which cuts off what is larger.
const MAIN = { get current() { return document.querySelector("main"); } };

const theme = extendTheme(THEME);

// Chakra's rules lie in a layer, so that any rule of our stylesheets outweighs them.
const cache = createCache({ key: "layered" });
const { insert } = cache;
cache.insert = (selector, { name, styles, ...rest }, sheet, isKept) =>
  insert(selector, { ...rest, name, styles: `@layer chakra{${styles}}` }, sheet, isKept);

function Chakra({ children }) {
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={theme}>
        <ColorModeContext.Provider value={LIGHT}>
          <EnvironmentProvider>{children}</EnvironmentProvider>
        </ColorModeContext.Provider>
      </ThemeProvider>
    </CacheProvider>
  );
}

/**
 * A dialog.
 * @param {any} props
 */
export function Modal(props) {
  return <Chakra><ChakraModal {...props} /></Chakra>;
}

function MenuFace(props) {
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const isPressed = useRef(false);
  // It has taken the place of the button that was pressed, and opens as that would have.
  useLayoutEffect(() => {
    if (isPressed.current) return;
    isPressed.current = true;
    button.current?.focus({ preventScroll: true });
    button.current?.click();
  }, []);
  return <button type="button" {...useMenuButton(props, button)} />;
}

/**
 * A menu that opens at once, and its button, which has the attributes `face`.
 * @param {any} props
 */
export function OpenedMenu({ placement, isInMain, listClass, face, children }) {
  // The list is rendered only while it is open, so that a hundred closed menus cost little.
  const list = <MenuList className={listClass}>{children}</MenuList>;
  return (
    <Chakra>
      <Menu placement={placement} isLazy>
        {({ isOpen }) => (
          <>
            <MenuFace {...face} />
            {isOpen && (isInMain ? <Portal containerRef={MAIN}>{list}</Portal> : list)}
          </>
        )}
      </Menu>
    </Chakra>
  );
}
