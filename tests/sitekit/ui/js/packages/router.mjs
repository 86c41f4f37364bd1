// The address of a page in place of React Router's.
export const useLocation = () => globalThis.location;
