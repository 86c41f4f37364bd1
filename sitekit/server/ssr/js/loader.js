// @ts-check
(() => {
  // The page is complete without its scripts, so they are fetched when something on it is about to need them. Files
  // that only later pages need are fetched once this page is complete.
  if (document.referrer.startsWith(location.origin + "/")) document.documentElement.classList.add("known");
  addEventListener("load", () => setTimeout(() => {
    if (navigator.connection?.saveData) return;
    for (const file of FETCHED_LATE) fetch(file, { priority: "low" }).catch(() => {});
  }, 1000));

  const NEEDS_SCRIPTS = "button,.menu>summary,form,input,select,textarea";
  // A page that is outdated, because its content or the version of the site has changed, is reloaded when something on
  // it is pressed; never a second time, in case the new page is outdated too.
  const wasReloaded = history.state?.press !== undefined;
  let started = false, settled = false, isChecking = false, isOutdated = false;
  let release = () => {};
  /** @type {(time: number) => Promise<void>} */
  const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });
  /** @type {Promise<void>} */
  const ready = new Promise((resolve) => { release = () => { settled = true; resolve(); }; });
  // What is pressed may be the document itself, which has no ancestors.
  /** @type {(event: Event, selector: string) => Element | null | undefined} */
  const closest = ({ target }, selector) => /** @type {Element} */ (target).closest?.(selector);

  const start = () => {
    if (started) return;
    started = true;
    before = buttons();
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
    else load();
  };

  const load = async () => {
    const inert = /** @type {HTMLElement} */ (document.getElementById("page-scripts"));
    const modules = String(inert.dataset.modules).split(" ");
    // Without a connection the page works without its scripts, and so it does if they fail for another reason.
    const check = async () => {
      if (isChecking) return;
      isChecking = true;
      const gone = await Promise.all(modules.map(isGone));
      isOutdated ||= !wasReloaded && gone.includes(true);
      release();
    };
    for (const href of modules) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = href;
      link.addEventListener("error", check);
      document.head.append(link);
    }
    setTimeout(release, 8000);
    // Components drawn by scripts may need rules that the page's inlined styles lack.
    /** @type {HTMLLinkElement | null} */
    const sheet = document.querySelector("link[rel=stylesheet]");
    if (sheet) sheet.disabled = false;
    // A large state is a file of its own, which is gone if the content has changed.
    if (inert.dataset.state) {
      const answer = await fetch(inert.dataset.state).catch(() => null);
      isOutdated ||= !wasReloaded && answer?.status === 410;
      if (!answer?.ok) return release();
      const state = document.createElement("script");
      state.type = "application/json";
      state.id = "page-state";
      state.textContent = await answer.text();
      document.body.append(state);
    }
    for (const script of document.querySelectorAll("script[data-asleep]")) {
      const live = document.createElement("script");
      if (script === inert) live.type = "module";
      live.textContent = script.textContent;
      live.addEventListener("error", check);
      document.body.append(live);
    }
  };

  /** @type {(href: string) => Promise<boolean>} */
  const isGone = (href) => fetch(href, { method: "HEAD" }).then(({ status }) => status === 404, () => false);

  // If a translator or an extension has changed the page, React draws all of it anew (ui/js/typed_early.js).
  /** @type {HTMLButtonElement[]} */
  let before = [];
  // What stands now in the place of a button that was replaced. An extension may have added buttons of its own.
  /** @type {(button: HTMLButtonElement) => HTMLButtonElement | undefined} */
  const successor = (was) => {
    const alike = (/** @type {HTMLButtonElement} */ one) => one.name === was.name;
    return was.isConnected ? was : buttons().filter(alike)[before.filter(alike).indexOf(was)];
  };

  const buttons = () => Array.from(document.querySelectorAll("button"));
  const TEXTS = "input[name]:not([type=hidden],[type=checkbox],[type=radio]),select[name],textarea[name]";
  /** @type {() => HTMLInputElement[]} */
  const fields = () => Array.from(document.querySelectorAll(TEXTS));
  /** @type {(button: HTMLButtonElement) => void} */
  const pressAnew = (button) => {
    const typed = Object.fromEntries(fields().map(({ name, value }) => [name, value]));
    history.replaceState({ ...history.state, press: buttons().indexOf(button), typed }, "");
    location.reload();
  };

  for (const sign of ["pointerover", "pointerdown", "touchstart", "focusin"])
    addEventListener(sign, (event) => { if (closest(event, NEEDS_SCRIPTS)) start(); }, { capture: true, passive: true });
  // A picture that cannot be loaded is replaced by a component.
  addEventListener("error", ({ target }) => { if (target instanceof HTMLImageElement) start(); }, true);

  // A link loads the whole next page, also when the scripts are there: that is one cached response, while drawing it
  // here would need a connection, its state and the page's events. Links within the page are left alone, unless the
  // page has a query, which the router would drop.
  addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (closest(event, "a[href]"));
    const jumps = link?.hash && link.pathname === location.pathname && link.search === location.search;
    if (link && (!jumps || location.search)) event.stopImmediatePropagation();
  }, true);

  // If the server cannot be reached, the form stays: the browser would replace it by an error page, and what was typed
  // would be lost.
  const isAwake = () => "hydrated" in document.documentElement.dataset;
  /** @type {(button: HTMLButtonElement, form: HTMLFormElement) => Promise<void>} */
  const send = async (button, form) => {
    /** @type {HTMLElement | null} */
    const word = form.querySelector("[data-unreachable]");
    if (word) word.hidden = true;
    const isTaken = !word || isReachable(form.action);
    await Promise.race([ready, pause(3000)]);
    const present = successor(button);
    if (!word || isAwake() || await isTaken) present?.form?.requestSubmit(present);
    else {
      word.hidden = false;
      word.scrollIntoView({ block: "nearest" });
    }
  };
  // OPTIONS, because a shared cache may answer HEAD while the server is down.
  /** @type {(address: string) => Promise<boolean>} */
  const isReachable = (address) => fetch(address, { method: "OPTIONS", signal: AbortSignal.timeout(2500) })
    .then(({ status }) => status < 500, () => false);

  // Menus and fields work without scripts. A press of a button is repeated when its component is there; a submit button
  // waits only briefly, because the form can be sent without scripts.
  addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (closest(event, "button"));
    const form = button?.type === "submit" ? button.form : null;
    if (!button || (settled && !isOutdated && (!form || isAwake()))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    start();
    if (form) send(button, form);
    else ready.then(() => (isOutdated ? pressAnew(button) : successor(button)?.click()));
  }, true);
  document.addEventListener("hydrated", release);

  // A page that the browser had kept may have an older theme than the one chosen since.
  addEventListener("pageshow", ({ persisted }) => {
    const [came] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    if (!persisted && came?.type !== "back_forward") return;
    const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie);
    document.documentElement.classList.remove("light", "dark");
    if (chosen) document.documentElement.classList.add(chosen[1]);
  });

  // Gives the browser's toolbar the colour of the chosen theme.
  new MutationObserver(() => {
    /** @type {NodeListOf<HTMLMetaElement>} */
    const colours = document.querySelectorAll("meta[name=theme-color]");
    const chosen = ["light", "dark"].find((theme) => document.documentElement.classList.contains(theme));
    ["light", "dark"].forEach((theme, i) => {
      const media = theme === chosen ? "all" : "not all";
      colours[i].media = chosen ? media : `(prefers-color-scheme: ${theme})`;
    });
  }).observe(document.documentElement, { attributeFilter: ["class"] });

  // Gives the menu's summary the role of a button; the component adds the keyboard behaviour.
  document.addEventListener("DOMContentLoaded", () => {
    for (const toggle of document.querySelectorAll(".menu>summary")) {
      toggle.setAttribute("role", "button");
      toggle.setAttribute("aria-expanded", String(/** @type {HTMLDetailsElement} */ (toggle.parentElement).open));
    }
    const { press, typed = {}, ...others } = history.state ?? {};
    if (press === undefined) return;
    history.replaceState(others, "");
    for (const field of fields()) if (typed[field.name]) field.value = typed[field.name];
    buttons()[press]?.click();
  });
})();
