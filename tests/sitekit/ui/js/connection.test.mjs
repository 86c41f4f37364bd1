import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { dispatch } from "./environment.mjs";

mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_750_000_000_000 });
// Node's own counts a timer without a time as one that never ends.
const { setTimeout: start } = globalThis;
globalThis.setTimeout = (act, time = 0) => start(act, time);
const { Socket } = await import("socket.io-client");
const { eventLoop } = await import("$/utils/context-registry");
const { registerForm, takeReports, useConnection, waitForTexts } = await import("$/ui/connection.js");

const MINUTE = 60_000;
const PAGE = { ...location };
const socket = new Socket();
let sent = [];
eventLoop.addEvents = (events) => {
  for (const event of [events].flat()) {
    sent.push(event.name);
    socket.emit("event", event);
  }
};

const press = (name, { actions = {}, args = [], ...payload } = {}) =>
  eventLoop.addEvents([{ name, payload, event_actions: actions }], args, {});
const arrive = () => socket.fire("event", { delta: { main: { is_hydrated_rx_state_: true } } });
const acknowledgeAll = () => socket.emitted.splice(0).forEach(({ acknowledge }) => acknowledge());
function lose() {
  socket.connected = false;
  socket.fire("disconnect", "transport close");
}
function connect() {
  socket.connected = true;
  socket.fire("connect");
  arrive();
  mock.timers.tick(1);
}

takeReports(); // the page looks at its connection for the first time
mock.timers.tick(2000);
const beforeFirst = useConnection().status;
socket.connect();
connect();
const afterFirst = useConnection().status;

test("the first connection is not said to be back, however long it took", () => {
  assert.deepEqual([beforeFirst, afterFirst], ["lost", ""]);
});

beforeEach(() => {
  Object.assign(location, PAGE);
  if (socket.connected) lose();
  mock.timers.tick(6 * MINUTE); // what an earlier test has left is too old
  connect();
  mock.timers.tick(MINUTE);
  acknowledgeAll();
  takeReports();
  sent = [];
});

test("an action is sent at once while there is a connection", () => {
  press("save");
  assert.deepEqual(sent, ["save"]);
});

test("actions wait for the connection and are sent once, in their order", () => {
  lose();
  for (const name of ["save", "publish", "save"]) press(name);
  assert.deepEqual(sent, []);
  connect();
  assert.deepEqual(sent, ["save", "publish"]);
});

test("actions that differ in what they carry are both sent", () => {
  lose();
  press("remove", { id: 1 });
  press("remove", { id: 2 });
  connect();
  assert.deepEqual(sent, ["remove", "remove"]);
});

test("actions wait until the page is up to date", () => {
  lose();
  press("save");
  socket.connected = true;
  socket.fire("connect");
  mock.timers.tick(100);
  assert.deepEqual(sent, []);
  arrive();
  mock.timers.tick(1);
  assert.deepEqual(sent, ["save"]);
});

test("an action that waits for more than five minutes is reported instead of sent", () => {
  lose();
  press("save");
  mock.timers.tick(5 * MINUTE + 1);
  press("publish");
  connect();
  assert.deepEqual(sent, ["publish"]);
  assert.deepEqual(takeReports(), ["late"]);
  assert.deepEqual(takeReports(), []);
});

test("what a page sends by itself is not kept", () => {
  lose();
  press("tick", { actions: { temporal: true } });
  connect();
  assert.deepEqual(sent, []);
});

test("an event for the browser does not wait", () => {
  lose();
  eventLoop.addEvents([{ name: "_redirect" }], [], {});
  assert.deepEqual(sent, ["_redirect"]);
});

test("the cause of an action that waits is prevented as if it were sent", () => {
  lose();
  const cause = { preventDefault: mock.fn(), stopPropagation: mock.fn() };
  press("save", { actions: { preventDefault: true }, args: [cause] });
  assert.equal(cause.preventDefault.mock.callCount(), 1);
  assert.equal(cause.stopPropagation.mock.callCount(), 0);
});

test("an action waits until the next page has loaded", () => {
  socket.emit("event", { name: "main.on_load_internal" });
  press("save");
  assert.deepEqual(sent, []);
  arrive();
  mock.timers.tick(1);
  assert.deepEqual(sent, ["save"]);
});

test("an action that was not acknowledged is reported as unsure, one of the page itself is not", () => {
  press("tick", { actions: { temporal: true } });
  lose();
  connect();
  assert.deepEqual(takeReports(), []);
  press("save");
  lose();
  assert.deepEqual(useConnection().reports, [], "reports wait for the connection");
  connect();
  assert.deepEqual(takeReports(), ["unsure"]);
});

test("an acknowledged action is not reported", () => {
  press("save");
  acknowledgeAll();
  lose();
  connect();
  assert.deepEqual(takeReports(), []);
});

test("the connection is shown as lost after two seconds, and as back for three", () => {
  lose();
  assert.equal(useConnection().status, "");
  mock.timers.tick(2000);
  assert.equal(useConnection().status, "lost");
  connect();
  assert.equal(useConnection().status, "back");
  mock.timers.tick(3000);
  assert.equal(useConnection().status, "");
});

test("the connection is shown as lost at once when something waits for it", () => {
  lose();
  press("save");
  assert.equal(useConnection().status, "lost");
  assert.equal(useConnection().waits, true);
});

test("a server that acknowledges nothing for two seconds counts as lost", () => {
  press("save");
  mock.timers.tick(2000);
  press("publish");
  assert.equal(useConnection().status, "lost");
  assert.deepEqual(sent, ["save"]);
  acknowledgeAll();
  mock.timers.tick(1);
  assert.deepEqual(sent, ["save", "publish"]);
});

function linkTo(pathname) {
  const link = { origin: location.origin, pathname, href: location.origin + pathname, target: "", click: mock.fn() };
  return { link, target: { closest: () => link } };
}
const click = (target, more = {}) => dispatch("click", { target, button: 0, ...more });
const unreachable = () => Promise.reject(new Error("no connection"));

test("only the link that was pressed last is followed when the connection is back", () => {
  globalThis.fetch = unreachable;
  const first = linkTo("/admin/team");
  const second = linkTo("/admin/media");
  lose();
  assert.deepEqual(click(first.target), { isPrevented: true, isStopped: true });
  click(second.target);
  connect();
  assert.equal(first.link.click.mock.callCount(), 0);
  assert.equal(second.link.click.mock.callCount(), 1);
});

test("a link is followed at once if the server answers over HTTP", async () => {
  globalThis.fetch = async () => ({ status: 200 });
  const { link, target } = linkTo("/admin/team");
  lose();
  click(target);
  await new Promise(setImmediate);
  assert.equal(link.click.mock.callCount(), 1);
  connect();
  assert.equal(link.click.mock.callCount(), 1);
});

test("links within the page, to other sites and with a modifier key are left alone", () => {
  globalThis.fetch = unreachable;
  lose();
  const ignored = { isPrevented: false, isStopped: false };
  assert.deepEqual(click(linkTo(location.pathname).target), ignored);
  const other = linkTo("/admin/team");
  other.link.origin = "https://elsewhere.test";
  assert.deepEqual(click(other.target), ignored);
  assert.deepEqual(click(linkTo("/admin/team").target, { metaKey: true }), ignored);
});

function registered(id, { then = "", submission = "" } = {}) {
  const form = { id, inert: false, elements: { namedItem: () => ({ value: then }) } };
  const entry = { form, submission: () => submission, isAnswered: () => false, submitAgain: mock.fn(), release: mock.fn() };
  const unregister = registerForm(entry);
  mock.timers.tick(1);
  return { ...entry, entry, unregister, submit: () => dispatch("submit", { target: form }) };
}
const argumentsOf = (fn) => fn.mock.calls.map((call) => call.arguments);
const formEvent = (...entries) => ({ name: "save", payload: { data: { __reflex_form_data__: entries } } });

test("a form is submitted again when the connection is back, with the button that was pressed", () => {
  const form = registered("profile", { then: "stay" });
  lose();
  assert.deepEqual(form.submit(), { isPrevented: true, isStopped: true });
  form.submit();
  assert.deepEqual(useConnection().held, { profile: "stay" });
  connect();
  assert.deepEqual(argumentsOf(form.submitAgain), [["", "stay"]]);
  assert.deepEqual(useConnection().held, {});
  form.unregister();
});

test("a form is submitted at once while there is a connection", () => {
  const form = registered("profile");
  assert.deepEqual(form.submit(), { isPrevented: false, isStopped: false });
  form.unregister();
});

test("a form that was not acknowledged is submitted again under the same id", () => {
  const form = registered("profile", { submission: "one" });
  eventLoop.addEvents([formEvent(["submission", "one"], ["then", "stay"])], [], {});
  lose();
  assert.equal(form.release.mock.callCount(), 1);
  connect();
  assert.deepEqual(argumentsOf(form.submitAgain), [["one", "stay"]]);
  assert.deepEqual(takeReports(), []);
  form.unregister();
});

test("a form that was acknowledged and not answered is reported as unsure", () => {
  const form = registered("profile", { submission: "one" });
  lose();
  connect();
  assert.deepEqual(takeReports(), ["unsure"]);
  assert.equal(form.submitAgain.mock.callCount(), 0);
  form.unregister();
});

test("a form of a page that was left is not submitted", () => {
  const form = registered("profile");
  lose();
  form.submit();
  location.pathname = "/admin/media";
  connect();
  assert.equal(form.submitAgain.mock.callCount(), 0);
  assert.deepEqual(takeReports(), []);
  form.unregister();
});

test("a form that waits for more than five minutes is reported instead of submitted", () => {
  const form = registered("profile");
  lose();
  form.submit();
  mock.timers.tick(5 * MINUTE + 1);
  connect();
  assert.equal(form.submitAgain.mock.callCount(), 0);
  assert.deepEqual(takeReports(), ["late"]);
  form.unregister();
});

test("a form that is remounted meanwhile is submitted when it is there again", () => {
  const form = registered("profile");
  lose();
  form.submit();
  form.unregister();
  connect();
  const again = registered("profile");
  assert.equal(form.submitAgain.mock.callCount(), 0);
  assert.equal(again.submitAgain.mock.callCount(), 1);
  again.unregister();
});

test("a form cannot be submitted before its draft is shown", () => {
  const form = registered("profile");
  waitForTexts(form.form);
  assert.equal(form.form.inert, true);
  assert.deepEqual(form.submit(), { isPrevented: true, isStopped: true });
  mock.timers.tick(10_000);
  assert.equal(form.form.inert, false);
  assert.equal(form.submitAgain.mock.callCount(), 0);
  form.unregister();
});

test("a form that is too large to be sent is reported, released and can be submitted again", () => {
  const form = registered("profile", { submission: "one" });
  const submit = (length) =>
    eventLoop.addEvents([formEvent(["submission", "one"], ["text", "\u6587".repeat(length)])], [], {});
  submit(1_400_000);
  assert.deepEqual(socket.emitted, []);
  assert.equal(form.release.mock.callCount(), 1);
  assert.deepEqual(takeReports(), ["large"]);
  submit(1_200_000);
  assert.equal(socket.emitted.length, 1);
  assert.deepEqual(takeReports(), []);
  form.unregister();
});

test("a page outside of the back office sends no event of more than 60 kB", () => {
  location.pathname = "/contact";
  press("check", { text: "x".repeat(70_000) });
  assert.deepEqual(socket.emitted, []);
});
