// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeController, ok } from "../api/controller.test.fake";

const topology = ok({ nodes: [{ name: "l1", pipeconf: "org.sextant.linux", ports: [] }], links: [], hosts: [] });
const nodes = (state: string) => ok([{ name: "l1", state }]);
const status = (state: string) => ({ nodes: [{ name: "l1", state }], links: [], ports: [] });

let controller: FakeController;
let page: AbortController;
let state: typeof import("./network");

const shown = (): string | undefined => state.network.value.nodes.get("l1")?.state;

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  controller = new FakeController();
  controller.answers.set("GET /topology", topology);
  controller.answers.set("GET /nodes", nodes("SYNCED"));
  page = new AbortController();
  state = await import("./network");
  state.watch(page.signal);
  await controller.listening();
});

afterEach(() => {
  page.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the network", () => {
  it("is as the youngest news say, also if they come while it is looked at", async () => {
    const held = controller.hold("GET /topology");
    controller.tell("network", {});
    const look = await held;
    await vi.waitFor(() => expect(controller.count("GET /nodes")).toBe(1));
    controller.answers.set("GET /nodes", nodes("LOST"));
    controller.tell("status", status("LOST"));
    await vi.advanceTimersByTimeAsync(0);
    look.release();
    await vi.waitFor(() => expect(controller.count("GET /nodes")).toBe(2));
    await vi.advanceTimersByTimeAsync(0);
    expect(shown()).toBe("LOST");
  });

  it("that could not be looked at is looked at again, and until then says why", async () => {
    controller.answers.set("GET /topology", { status: 500, body: { title: "Internal error", detail: "see the log" } });
    controller.tell("network", {});
    await vi.waitFor(() => expect(state.trouble.value).toBe("see the log"));
    expect([state.live.value, state.loaded.value]).toEqual([true, false]);
    controller.answers.set("GET /topology", topology);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([state.trouble.value, shown()]).toEqual(["", "SYNCED"]);
  });

  it("is looked at although the controller has no news for one more page", async () => {
    controller.events = { status: 503, body: "" };
    controller.endStream();
    await vi.waitFor(() => expect(shown()).toBe("SYNCED"));
    controller.answers.set("GET /nodes", nodes("LOST"));
    await vi.advanceTimersByTimeAsync(6_000);
    expect([shown(), state.live.value, state.deaf.value]).toEqual(["LOST", false, "too many open event streams"]);
  });
});
