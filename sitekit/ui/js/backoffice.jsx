// @ts-check
// Chakra's provider without its colour mode, reset and toasts; see sitekit/admin/components/chakra.py.
import { useEffect, useState } from "react";
import { ColorModeContext, EnvironmentProvider, extendTheme, ThemeProvider } from "@chakra-ui/react";
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { Questions } from "./confirm.jsx";
import { guardKeys } from "./shortcuts.js";

const LIGHT = { colorMode: "light", forced: true, toggleColorMode: () => {}, setColorMode: () => {} };

// Chakra's rules lie in a layer, so that any rule of our stylesheets outweighs them.
function layered() {
  const cache = createCache({ key: "layered" });
  const { insert } = cache;
  cache.insert = (selector, { styles, ...rest }, sheet, isKept) =>
    insert(selector, { ...rest, styles: `@layer chakra{${styles}}` }, sheet, isKept);
  return cache;
}

// One for all pages, so that each rule is inserted once; a server makes one for each page that it renders.
const shared = typeof document === "undefined" ? undefined : layered();

export function Backoffice({ theme, children }) {
  const [made] = useState(() => extendTheme(theme));
  const [cache] = useState(() => shared ?? layered());
  useEffect(guardKeys, []);
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={made}>
        <ColorModeContext.Provider value={LIGHT}>
          <EnvironmentProvider>{children}<Questions /></EnvironmentProvider>
        </ColorModeContext.Provider>
      </ThemeProvider>
    </CacheProvider>
  );
}
