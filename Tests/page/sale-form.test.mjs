// How a host sets the start of a sale, in a document without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../Sources/Page/strings.js";
import { makeHost } from "../../Sources/Page/views/host.js";
import { nextEvening, openSaleForm } from "../../Sources/Page/views/sale.js";
import { mountedBody, turn } from "./support/mounted.mjs";
import { shown, type } from "./support/page-dom.mjs";

/** The controls of a host in a room that is being prepared; what is configured is in `asked`. */
function fixture(sale, language = "en", state = "preparing") {
  const body = mountedBody();
  setLanguage(language);
  const asked = [];
  const room = { id: "room_x", state, round: 1, item: null, sale };
  const model = () => ({
    room, sale, phase: state, me: { role: "host" }, userID: "user_h", now: Date.parse("2026-11-20T12:00:00Z"), can: (action) => ["runSale", "queueLot"].includes(action),
    results: [], lots: { queued: [] }, state: { bids: [] }, archived: false,
  });
  const controls = { model, configureSale: async (given) => { asked.push(given); } };
  const view = makeHost(controls);
  body.append(view.element);
  view.update(model());
  const press = async (text) => { shown(body, "button", text)[0].click(); await turn(); };
  const choose = (label) => {
    const input = shown(body, "dialog label", label)[0].querySelector("input");
    for (const each of input.closest("fieldset").querySelectorAll("input")) each.checked = each === input;
    input.dispatch("change");
  };
  return { body, asked, controls, press, choose, time: () => shown(body, "dialog input[type=datetime-local]")[0] };
}

const isChosen = (body, label) => shown(body, "dialog label", label)[0].querySelector("input").checked;
const at = new Date(2026, 10, 24, 20, 0).toISOString();

test("a host sets the time of the start where the sale is set up, also before there are lots", async () => {
  for (const [language, schedule, save, missing] of [["en", "Start at a set time", "Save", "Please fill in “Date and time of the start”."], ["zh", "定时开始", "保存", "请填写“开始日期与时间”。"]]) {
    const { body, asked, press, time } = fixture(null, language);
    await press(schedule);
    await press(save);
    assert.deepEqual(asked, [], "no time was given");
    assert.equal(shown(body, ".field-error", missing).length, 1);
    type(time(), "2026-11-24T20:00");
    await press(save);
    assert.deepEqual(asked, [{ mode: "automatic", premium: null, pauseSeconds: 10, startsAt: at }]);
  }
});

test("one press sets the start for this evening, or for the next one where it is past eight", async () => {
  for (const [now, isToday, day] of [[[12, 0], true, 20], [[19, 59], true, 20], [[20, 0], false, 21], [[23, 30], false, 21]]) {
    const found = nextEvening(new Date(2026, 10, 20, ...now).getTime());
    assert.deepEqual([found.isToday, found.evening.getTime()], [isToday, new Date(2026, 10, day, 20, 0).getTime()], String(now));
  }
  assert.equal(nextEvening(new Date(2026, 11, 31, 21, 0).getTime()).evening.getTime(), new Date(2027, 0, 1, 20, 0).getTime());
  const { evening, isToday } = nextEvening(Date.parse("2026-11-20T12:00:00Z"));
  for (const [language, schedule, save, preset] of [["en", "Start at a set time", "Save", isToday ? "Today at 20:00" : "Tomorrow at 20:00"], ["zh", "定时开始", "保存", isToday ? "今天 20:00" : "明天 20:00"]]) {
    const { asked, press } = fixture(null, language);
    await press(schedule);
    await press(preset);
    await press(save);
    assert.deepEqual(asked.map(({ startsAt }) => startsAt), [evening.toISOString()]);
  }
});

test("a start that is set is changed, or given up for one by hand", async () => {
  const sale = { mode: "automatic", pauseSeconds: 5, startsAt: at, premium: null, attended: false, running: false, queued: 0, lots: 0 };
  const { body, asked, press, choose, time } = fixture(sale);
  await press("Change the start time");
  assert.equal(time().value, "2026-11-24T20:00");
  type(time(), "2026-11-25T20:00");
  await press("Save");
  await press("Change the start time");
  choose("By hand");
  assert.equal(time(), undefined);
  await press("Save");
  assert.deepEqual(asked.map(({ startsAt }) => startsAt), [new Date(2026, 10, 25, 20, 0).toISOString(), null]);
  assert.equal(shown(body, "dialog").length, 0);
});

test("only lots that follow one another begin at a time: one choice makes the other", () => {
  const { body, controls, choose, time } = fixture({ mode: "manual", pauseSeconds: 10, startsAt: null, premium: null, attended: false, running: false, queued: 1, lots: 1 });
  openSaleForm(controls);
  assert.ok(isChosen(body, "By hand") && isChosen(body, "I start each lot"));
  choose("At a set time");
  assert.ok(isChosen(body, "One lot after the other") && time());
  choose("I start each lot");
  assert.ok(isChosen(body, "By hand") && !time());
});

test("a sale that runs has no start to set", () => {
  const { body, controls } = fixture({ mode: "automatic", pauseSeconds: 10, startsAt: null, premium: null, attended: false, running: true, queued: 1, lots: 1 });
  openSaleForm(controls);
  assert.equal(shown(body, "dialog label", "At a set time").length, 0);
  assert.equal(shown(body, ".host button", "start").length, 0);
});

test("after a round the start is offered only where lots wait or one is set, and a start without lots is told to be in vain", () => {
  const sale = { mode: "automatic", pauseSeconds: 10, startsAt: null, premium: null, attended: false, running: false, queued: 0, lots: 0 };
  const offered = (given, state = "closed") => shown(fixture(given, "en", state).body, "button", "start time").length + shown(document.body, "button", "set time").length;
  assert.deepEqual([null, sale, { ...sale, queued: 2, lots: 3 }, { ...sale, startsAt: at }].map((each) => offered(each)), [0, 0, 1, 1]);
  assert.deepEqual([null, sale].map((each) => offered(each, "preparing")), [1, 1]);
  for (const [language, words] of [["en", "A start is set, and nothing is for sale yet"], ["zh", "已设定开始时间，但尚无拍品"]]) {
    assert.equal(shown(fixture({ ...sale, startsAt: at }, language).body, ".action-note", words).length, 1);
    assert.equal(shown(fixture(sale, language).body, ".action-note", words).length, 0);
  }
});
