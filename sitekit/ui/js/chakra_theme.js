// @ts-check
// What Chakra's menus and dialogs look like, in the stylesheet's custom properties (assets/site/tokens.css).
//
// Chakra's own colour mode is always light: the properties change with the `dark` class of the root element.
const PANEL = {
  bg: "var(--surface)",
  color: "var(--ink)",
  borderWidth: "1px",
  borderStyle: "solid",
  borderColor: "var(--line)",
  borderRadius: "var(--radius-m)",
  boxShadow: "var(--shadow-high)",
};
const CHOSEN = { bg: "var(--jade-soft)" };
const FOCUS = { outline: "2px solid var(--jade)", outlineOffset: "2px", boxShadow: "none" };

export const THEME = {
  config: { initialColorMode: "light", useSystemColorMode: false },
  components: {
    Menu: {
      baseStyle: {
        list: { ...PANEL, zIndex: "dropdown" },
        item: { bg: "transparent", fontSize: "var(--text-s)", minHeight: "2.75rem", _focus: CHOSEN, _hover: CHOSEN, _active: CHOSEN },
        divider: { borderColor: "var(--line)", borderStyle: "solid", opacity: 1 },
      },
    },
    Modal: {
      baseStyle: {
        overlay: { bg: "rgb(8 18 14 / 55%)" },
        dialog: PANEL,
        header: { fontFamily: "var(--font-display)", fontWeight: 500, fontSize: "1.6rem", letterSpacing: "-0.015em" },
      },
    },
    CloseButton: { baseStyle: { _focusVisible: FOCUS } },
  },
};
