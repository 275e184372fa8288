// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeController, ok, type Answer } from "../api/controller.test.fake";

const STATE = "GET /history/state";
/** The controller's clock. */
const NOW = "2026-11-23T10:00:00.000Z";

let controller: FakeController;
let state: typeof import("./past");
let api: typeof import("../api/client");

beforeEach(async () => {
  vi.resetModules();
  // That of this browser is an hour fast.
  vi.useFakeTimers({ now: Date.parse(NOW) + 3_600_000, toFake: ["Date"] });
  controller = new FakeController();
  state = await import("./past");
  api = await import("../api/client");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function moment(secondsAgo: number): Answer {
  const at = new Date(Date.parse(NOW) - secondsAgo * 1000).toISOString();
  const from = "2026-11-23T09:40:00.000Z";
  return ok({ now: NOW, at, secondsAgo, from, intentsFrom: from, leftOut: 0, nodes: [], links: [], hosts: [] });
}

const asked = (): (string | null)[] =>
  controller.requests.map((request) => new URL(request.url).searchParams.get("at"));

it("a moment is asked for by how long ago it was, and its times are the controller's", async () => {
  controller.answers.set(STATE, moment(90));
  await state.learnReach();
  expect(state.reach.value).toBe(1200);
  expect(state.past.value).toBeUndefined();
  await state.showPast(90);
  expect(asked()).toEqual(["0", "90"]);
  expect(state.past.value?.at).toBe("2026-11-23T09:58:30.000Z");
  await state.showPast(0);
  expect(state.past.value).toBeUndefined();
});

it("nothing is changed while the past is shown, and what only tries is asked", async () => {
  controller.answers.set(STATE, moment(90));
  controller.answers.set("POST /audit", ok({ drift: [] }));
  await state.showPast(90);
  const audit = (): Promise<unknown> => api.answer(api.northbound.POST("/audit"));
  await expect(audit()).rejects.toThrow(state.HELD);
  expect(controller.count("POST /audit")).toBe(0);
  state.showNow();
  await audit();
  expect(controller.count("POST /audit")).toBe(1);
});

it("of two questions the last one counts, whichever is answered first", async () => {
  const holding = controller.hold(STATE);
  const first = state.showPast(300);
  const held = await holding;
  controller.answers.set(STATE, moment(60));
  await state.showPast(60);
  held.release(moment(300));
  await first;
  expect(state.past.value?.secondsAgo).toBe(60);
});

it("what the controller does not know any more is said, and the map stays as it was", async () => {
  const problem = { code: "INVALID", field: "/at", message: "not known any more", remedy: "ask for later" };
  controller.answers.set(STATE, { status: 400, body: { errors: [problem] } });
  await state.showPast(3000);
  expect(state.pastTrouble.value).toBe("not known any more; ask for later");
  expect(state.past.value).toBeUndefined();
});
