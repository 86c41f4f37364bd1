// A socket whose server is the test: `fire` is what arrives, `emitted` is what was sent.
export class Socket {
  connected = false;
  wait_connect = false;
  attempts = 0;
  emitted = [];
  #listeners = {};

  constructor() {
    const closed = [];
    this.io = {
      engine: { readyState: "open", _hasPingExpired: () => false, emit() {}, once: (_, listener) => closed.push(listener) },
      timeout() {},
      on() {},
    };
  }
  connect() {
    this.attempts += 1;
    return this;
  }
  // Reflex adds it to its socket.
  reconnect() {
    if (!this.connected) this.connect();
  }
  emit(name, event, acknowledge) {
    this.emitted.push({ name, event, acknowledge });
    return this;
  }
  on(name, listener) {
    (this.#listeners[name] ??= []).push(listener);
    return this;
  }
  off(name) {
    this.#listeners[name] = [];
    return this;
  }
  listeners(name) {
    return this.#listeners[name] ?? [];
  }
  fire(name, ...args) {
    for (const listener of [...this.listeners(name)]) listener(...args);
  }
}
