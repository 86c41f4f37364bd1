export const app = { state_name: "main" };
export const eventLoop = { addEvents: () => {} };
