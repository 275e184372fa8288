// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeController } from "./controller.test.fake";
import type { NewsListener } from "./news";

let controller: FakeController;
let stop: AbortController;
let heard: string[];
let listener: NewsListener;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  controller = new FakeController();
  stop = new AbortController();
  heard = [];
  listener = {
    live: (isLive, why) => heard.push(isLive ? "live" : `silent ${why}`),
    news: (name) => heard.push(name),
  };
});

afterEach(() => {
  stop.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function follow(): Promise<void> {
  const news = await import("./news");
  void news.follow(listener, stop.signal);
  await vi.advanceTimersByTimeAsync(0);
}

describe("the news", () => {
  it("are asked for again and again while the controller is away, and leave nothing behind", async () => {
    let listening = 0;
    const { signal } = stop;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    vi.spyOn(signal, "addEventListener").mockImplementation((...words: Parameters<typeof add>) => {
      listening++;
      add(...words);
    });
    vi.spyOn(signal, "removeEventListener").mockImplementation((...words: Parameters<typeof remove>) => {
      listening--;
      remove(...words);
    });
    controller.events = "no connection";
    await follow();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(controller.count("GET /events")).toBeGreaterThan(20);
    expect(listening).toBeLessThanOrEqual(1);
  });

  it("of a stream that ends as soon as it is there are asked for ever more seldom", async () => {
    await follow();
    for (let second = 0; second < 60; second++) {
      controller.endStream();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(controller.count("GET /events")).toBeLessThan(20);
  });

  it("of a stream that ended after a while are there again at once", async () => {
    await follow();
    controller.tell("network", {});
    await vi.advanceTimersByTimeAsync(6_000);
    controller.endStream();
    await vi.advanceTimersByTimeAsync(400);
    expect(heard).toEqual(["live", "network", "silent ", "live"]);
  });

  it("that a controller refuses are missing for a reason", async () => {
    controller.events = { status: 503, body: "" };
    await follow();
    expect(heard).toEqual(["silent too many open event streams"]);
  });

  it("that nobody understands end nothing: all is looked at anew, once", async () => {
    listener = {
      ...listener,
      news: (name, data) =>
        heard.push(name === "traffic" ? `traffic ${(data as { ports: unknown[] }).ports.length}` : name),
    };
    await follow();
    ["traffic", "traffic"].forEach((name) => controller.tell(name, { of: "a later controller" }));
    controller.tell("of-a-later-controller", {});
    controller.tell("traffic", { ports: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(["live", "network", "of-a-later-controller", "traffic 0"]);
  });

  it("end with the page, without a last word", async () => {
    await follow();
    stop.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([heard, controller.count("GET /events")]).toEqual([["live"], 1]);
  });
});
