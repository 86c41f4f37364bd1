(() => {
  // The page is complete without its scripts, so they are fetched when something on it is about to need them. Files
  // that only later pages need are fetched once this page is complete.
  if (document.referrer.startsWith(location.origin + "/")) document.documentElement.classList.add("known");
  addEventListener("load", () => setTimeout(() => {
    if (navigator.connection?.saveData) return;
    for (const file of FETCHED_LATE) fetch(file, { priority: "low" }).catch(() => {});
  }, 1000));

  const NEEDS_SCRIPTS = "button,summary,form,input,select,textarea";
  let started, settled, release, isOutdated;
  const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });
  const ready = new Promise((resolve) => { release = () => { settled = true; resolve(); }; });

  const start = () => {
    if (started) return;
    started = true;
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
    else load();
  };

  const load = async () => {
    const inert = document.getElementById("page-scripts");
    for (const href of inert.dataset.modules.split(" ")) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = href;
      document.head.append(link);
    }
    setTimeout(release, 8000);
    // Components drawn by scripts may need rules that the page's inlined styles lack.
    document.querySelector("link[rel=stylesheet]").disabled = false;
    // A large state is a file of its own. If the content has changed, that file is gone, and the page is reloaded when
    // something on it is pressed; without a connection it stays as it is, without its scripts.
    if (inert.dataset.state) {
      const answer = await fetch(inert.dataset.state).catch(() => null);
      isOutdated = answer?.status === 410;
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
      // If the scripts cannot be loaded, the page works without them.
      live.addEventListener("error", release);
      document.body.append(live);
    }
  };

  const buttons = () => Array.from(document.querySelectorAll("button"));
  const pressAnew = (button) => {
    history.replaceState({ ...history.state, press: buttons().indexOf(button) }, "");
    location.reload();
  };

  const isNear = ({ target }) => target.closest?.(NEEDS_SCRIPTS);
  for (const sign of ["pointerover", "pointerdown", "touchstart", "focusin"])
    addEventListener(sign, (event) => { if (isNear(event)) start(); }, { capture: true, passive: true });
  // A picture that cannot be loaded is replaced by a component.
  addEventListener("error", ({ target }) => { if (target.tagName === "IMG") start(); }, true);

  // A link loads the whole next page, also when the scripts are there: that is one cached response, while drawing it
  // here would need a connection, its state and the page's events. Links within the page are left alone, unless the
  // page has a query, which the router would drop.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const jumps = link?.hash && link.pathname === location.pathname && link.search === location.search;
    if (link && (!jumps || location.search)) event.stopImmediatePropagation();
  }, true);

  // If the server cannot be reached, the form stays: the browser would replace it by an error page, and what was typed
  // would be lost.
  const isAwake = () => "hydrated" in document.documentElement.dataset;
  const send = async (button) => {
    const { form } = button;
    const word = form.querySelector("[data-unreachable]");
    if (word) word.hidden = true;
    const isTaken = !word || isReachable(form.action);
    await Promise.race([ready, pause(3000)]);
    if (isAwake() || await isTaken) form.requestSubmit(button);
    else {
      word.hidden = false;
      word.scrollIntoView({ block: "nearest" });
    }
  };
  const isReachable = (address) => fetch(address, { method: "HEAD", signal: AbortSignal.timeout(2500) })
    .then(({ status }) => status < 500, () => false);

  // Menus and fields work without scripts. A press of a button is repeated when its component is there; a submit button
  // waits only briefly, because the form can be sent without scripts.
  addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    const isSent = button?.form && button.type === "submit";
    if (!button || (settled && !isOutdated && (!isSent || isAwake()))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    start();
    if (isSent) send(button);
    else ready.then(() => (isOutdated ? pressAnew(button) : button.click()));
  }, true);
  document.addEventListener("hydrated", release);

  // A page from the browser's back/forward cache may have an older theme than the one chosen since.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie);
    document.documentElement.classList.remove("light", "dark");
    if (chosen) document.documentElement.classList.add(chosen[1]);
  });

  // Gives the browser's toolbar the colour of the chosen theme.
  new MutationObserver(() => {
    const colours = document.querySelectorAll("meta[name=theme-color]");
    const chosen = ["light", "dark"].find((theme) => document.documentElement.classList.contains(theme));
    ["light", "dark"].forEach((theme, i) => {
      const media = theme === chosen ? "all" : "not all";
      colours[i].media = chosen ? media : `(prefers-color-scheme: ${theme})`;
    });
  }).observe(document.documentElement, { attributeFilter: ["class"] });

  // Gives the menu's summary the role of a button; the component adds the keyboard behaviour.
  document.addEventListener("DOMContentLoaded", () => {
    for (const toggle of document.querySelectorAll("summary")) {
      toggle.setAttribute("role", "button");
      toggle.setAttribute("aria-expanded", toggle.parentElement.open);
    }
    const { press, ...others } = history.state ?? {};
    if (press === undefined) return;
    history.replaceState(others, "");
    buttons()[press]?.click();
  });
})();
