// Hooks of one component, and elements, without a document.
let hooks = [];
let next = 0;
let effects = [];

/** Render a component as React does: the hooks keep their values, and the effects run afterwards. */
export function render(component) {
  next = 0;
  effects = [];
  component();
  for (const effect of effects) effect();
}

/** Begin with another component. */
export function unmount() {
  hooks = [];
}

export function createElement(type, props, children) {
  return { type, props, children };
}

export function useRef(value) {
  hooks[next] ??= { current: value };
  return hooks[next++];
}

export function useEffect(effect) {
  effects.push(effect);
}

export function useSyncExternalStore(_subscribe, read) {
  return read();
}
