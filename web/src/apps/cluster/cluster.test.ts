// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeController, noSuch, ok } from "../../api/controller.test.fake";

const member = (id: string) => ({ id, state: "READY", self: id === "c1", count: 0, nodes: [] });
const COMPILER = { inForce: 1, own: { oldest: 1, newest: 1 }, heldBackBy: [] };
const of = (...ids: string[]) => ok({ answers: "c1", compiler: COMPILER, members: ids.map(member), unattended: [] });

let controller: FakeController;
let stop: AbortController;

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("addEventListener", vi.fn());
  controller = new FakeController();
  stop = new AbortController();
});

afterEach(() => {
  stop.abort();
  vi.unstubAllGlobals();
});

async function begin() {
  const { watch } = await import("../../state/network");
  const own = await import("./cluster");
  const { default: app } = await import(".");
  watch(stop.signal);
  await controller.listening();
  controller.tell("network", {});
  return { ...own, app };
}

describe("the cluster", () => {
  it("of a controller alone has no tab and no troubles", async () => {
    controller.answers.set("GET /cluster", of("c1"));
    const { cluster, app } = await begin();
    await vi.waitFor(() => expect(cluster.value?.members).toHaveLength(1));
    expect(app.shown?.()).toBe(false);
    expect(app.search("c1")).toEqual([]);
    expect(app.troubles()).toEqual([]);
  });

  it("has a tab once it has several members, also when one is left, and follows the news", async () => {
    controller.answers.set("GET /cluster", of("c1", "c2"));
    const { cluster, app } = await begin();
    await vi.waitFor(() => expect(app.shown?.()).toBe(true));
    expect(app.search("c2").map(({ address }) => address)).toEqual(["#/cluster/c2"]);
    controller.answers.set("GET /cluster", of("c1"));
    controller.tell("cluster", {});
    await vi.waitFor(() => expect(cluster.value?.members).toHaveLength(1));
    expect(app.shown?.()).toBe(true);
  });

  it("of a controller of before there was one is not there", async () => {
    controller.answers.set("GET /cluster", noSuch("cluster"));
    const { cluster, app, trouble } = await begin();
    await vi.waitFor(() => expect(trouble.value).not.toBe(""));
    expect(cluster.value).toBeUndefined();
    expect(app.shown?.()).toBe(false);
  });
});
