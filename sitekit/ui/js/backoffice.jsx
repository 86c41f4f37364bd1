// @ts-check
// Chakra's provider without its colour mode, reset and toasts; see sitekit/admin/components/chakra.py.
import { useEffect, useState } from "react";
import { ColorModeContext, EnvironmentProvider, extendTheme, ThemeProvider } from "@chakra-ui/react";
import { Global } from "@emotion/react";
import { Questions } from "./confirm.jsx";
import { guardKeys } from "./shortcuts.js";

const LIGHT = { colorMode: "light", forced: true, toggleColorMode: () => {}, setColorMode: () => {} };

export function Backoffice({ theme, reset, children }) {
  const [made] = useState(() => extendTheme(theme));
  useEffect(guardKeys, []);
  return (
    <ThemeProvider theme={made}>
      <ColorModeContext.Provider value={LIGHT}>
        <Global styles={reset} />
        <EnvironmentProvider>{children}<Questions /></EnvironmentProvider>
      </ColorModeContext.Provider>
    </ThemeProvider>
  );
}
