// @ts-check
// What components use of Reflex's scripts.
export { ColorModeContext } from "$/utils/context";
export { generateUUID } from "$/utils/state";
