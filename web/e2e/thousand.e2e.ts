// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { expect, it } from "vitest";
import type { NetworkMap } from "../src/map/NetworkMap";
import { drawn, health, hearsMore, launch, logIn, names, open, picture, pictures, tell } from "./browser";

/** A made-up network of a thousand nodes without places: a grid with a long way round, hosts at its rim. */

const WIDTH = 40;
const HEIGHT = 25;
const FRAMES = 120;
/**
 * The time that a pan may take per frame, half of the time and nearly always, drawn by two cores without a graphics
 * card.
 */
const HALF_WITHIN_MILLIS = 34;
const NEARLY_ALL_WITHIN_MILLIS = 120;
/**
 * The most that the page itself computes between two frames of a pan: the processor's time, whatever else runs on it
 * meanwhile.
 */
const TASK_WITHIN_MILLIS = 100;
const SHOWN_WITHIN_MILLIS = 15_000;
/** Nodes, hosts, clusters and lines on the canvas, of 1 000 nodes, 1500 links and 20 hosts. */
const AT_MOST_DRAWN = 1_000;
const STALL_WITHIN_MILLIS = 1_000;
/** In earnest it is every two seconds. */
const TICK_MILLIS = 500;

interface Made {
  readonly topology: {
    readonly nodes: readonly { readonly name: string }[];
    readonly links: readonly unknown[];
    readonly hosts: readonly unknown[];
  };
  readonly nodes: readonly object[];
}

function thousand(): Made {
  const name = (x: number, y: number): string => `r${String(x).padStart(2, "0")}${String(y).padStart(2, "0")}`;
  const cells = Array.from({ length: WIDTH * HEIGHT }, (_, i) => [i % WIDTH, Math.floor(i / WIDTH)] as const);
  const join = (from: string, fromPort: number, to: string, toPort: number): unknown[] =>
    [
      [from, fromPort, to, toPort],
      [to, toPort, from, fromPort],
    ].map(([a, p, b, q]) => ({
      id: `${a}/${p}-${b}/${q}`,
      up: true,
      from: { node: a, port: p },
      to: { node: b, port: q },
      igpMetric: 10,
      teMetric: 10,
      srlgs: [],
      affinities: [],
    }));
  const links = cells.flatMap(([x, y]) => [
    ...(x + 1 < WIDTH ? join(name(x, y), 1, name(x + 1, y), 2) : []),
    ...(y + 1 < HEIGHT && x % 2 === 0 ? join(name(x, y), 3, name(x, y + 1), 4) : []),
  ]);
  const hosts = cells
    .filter(([x, y]) => y === 0 && x % 2 === 0)
    .map(([x, y]) => ({ name: `h${x}`, node: name(x, y), port: 9, addresses: [`fd00:${x}::2`] }));
  const nodes = cells.map(([x, y], i) => ({
    name: name(x, y),
    deviceId: `device:${name(x, y)}`,
    ready: true,
    management: "",
    pipeconf: i % 7 === 0 ? "org.sextant.bmv2" : "org.sextant.linux",
    ports: [],
  }));
  return {
    topology: { nodes, links, hosts },
    nodes: nodes.map((one) => ({ name: one.name, state: "SYNCED", entries: 9 })),
  };
}

/** A controller's answer about the one node that an address names. */
function detailOf(address: string, topology: Made["topology"]): object {
  const name = address.split("/").at(-1) ?? "";
  return { ...topology.nodes.find((node) => node.name === name), state: "SYNCED", entries: 9 };
}

it("a thousand nodes come up, and nothing stalls while all of them count", async () => {
  const browser = await launch();
  const { page, complaints } = await open(browser, "", hearsMore);
  const { topology, nodes } = thousand();
  await page.route("**/srv6/topology", (route) => route.fulfill({ json: topology }));
  await page.route("**/srv6/nodes", (route) => route.fulfill({ json: nodes }));
  await page.route("**/srv6/nodes/*", (route) => route.fulfill({ json: detailOf(route.request().url(), topology) }));
  await page.route("**/srv6/nodes/*/entries", (route) => route.fulfill({ json: [] }));
  const started = performance.now();
  await logIn(page);
  await health(page, "1 000 nodes");
  await expect.poll(async () => (await names(page)).length, { timeout: SHOWN_WITHIN_MILLIS }).toBeGreaterThan(0);
  const shownMillis = Math.round(performance.now() - started);
  // Every node is there, by itself or in a cluster, and as much is drawn as a screen has room for.
  expect((await drawn(page, "node.node")) + (await membersOf(page)).length).toBe(WIDTH * HEIGHT);
  expect(await drawn(page, "node, edge")).toBeLessThan(AT_MOST_DRAWN);
  await picture(page, "thousand-all");

  const quiet = await record(page);
  const counted = await withTraffic(page, topology, () => record(page));
  expect(await drawn(page, "edge.busy")).toBeGreaterThan(20);
  const [panned, longestTask] = await traced(browser, page, () => withTraffic(page, topology, () => panFrames(page)));
  const zoomed = await withTraffic(page, topology, () => wheelFrames(page));
  await page.keyboard.press("/");
  await page.keyboard.type("r2012");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "r2012" }).waitFor();
  await expect.poll(async () => (await names(page)).map(({ text }) => text)).toContain("r2012");
  expect(await drawn(page, "node, edge")).toBeLessThan(AT_MOST_DRAWN);
  await picture(page, "thousand");
  const figures = {
    drawn: await drawn(page, "node, edge"),
    shownMillis,
    quietMillis: quantiles(quiet),
    countedMillis: quantiles(counted),
    panMillis: quantiles(panned),
    panTaskMillis: longestTask,
    zoomMillis: quantiles(zoomed),
  };
  writeFileSync(join(pictures, "thousand.json"), `${JSON.stringify(figures, undefined, 2)}\n`);
  console.log(JSON.stringify(figures));

  expect(shownMillis).toBeLessThan(SHOWN_WITHIN_MILLIS);
  expect(figures.panMillis.p50).toBeLessThan(HALF_WITHIN_MILLIS);
  expect(figures.panMillis.p95).toBeLessThan(NEARLY_ALL_WITHIN_MILLIS);
  expect(figures.panTaskMillis).toBeLessThan(TASK_WITHIN_MILLIS);
  // A stall is the time that counting adds to that of this machine anyway; 100 ms is the aim, a busy machine needs
  // more.
  expect(figures.countedMillis.max - figures.quietMillis.max).toBeLessThan(STALL_WITHIN_MILLIS);
  expect(complaints).toEqual([]);
  await browser.close();
});

it("a cluster opens by a click and by keys, and nothing of it is lost", async () => {
  const browser = await launch();
  const { page, complaints } = await open(browser, "", hearsMore);
  const { topology, nodes } = thousand();
  await page.route("**/srv6/topology", (route) => route.fulfill({ json: topology }));
  await page.route("**/srv6/nodes", (route) => route.fulfill({ json: nodes }));
  await logIn(page);
  await health(page, "1 000 nodes");
  await expect.poll(() => drawn(page, "node.cluster")).toBeGreaterThan(20);
  const before = await drawn(page, "node.node");
  // One of its nodes is lost, and it says so.
  await tell(page, "status", { nodes: [{ name: "r2012", state: "LOST" }], links: [], ports: [] });
  await expect.poll(async () => (await names(page)).filter(({ text }) => text.endsWith("1 lost")).length).toBe(1);
  await page.getByTestId("map").focus();
  const said = page.locator(".said");
  await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 20 && !(await said.innerText()).startsWith("cluster of"); i++) {
    await page.keyboard.press("ArrowRight");
  }
  expect(await said.innerText()).toMatch(/^cluster of \d+ nodes, r\d{4} and others/);
  await page.keyboard.press("Enter");
  await expect.poll(() => drawn(page, "node.node")).toBeGreaterThan(before);
  await picture(page, "thousand-near");
  await page.keyboard.press("0");
  await expect.poll(async () => (await names(page)).filter(({ text }) => text.endsWith("1 lost")).length).toBe(1);
  expect((await drawn(page, "node.node")) + (await membersOf(page)).length).toBe(WIDTH * HEIGHT);
  expect(complaints).toEqual([]);
  await browser.close();
});

/** How many nodes are drawn as one, of each cluster as often as it has nodes. */
function membersOf(page: Page): Promise<readonly string[]> {
  return page.getByTestId("map").evaluate((element) => {
    const { cy } = (element as HTMLElement & { map: NetworkMap }).map;
    return cy
      .nodes(".cluster")
      .toArray()
      .flatMap((one) => Array<string>(Number(one.data("count"))).fill(one.id()));
  });
}

/** Something while every port of the network counts, each time something else, far more often than in earnest. */
async function withTraffic<T>(page: Page, { nodes }: Made["topology"], act: () => Promise<T>): Promise<T> {
  const stop = await page.evaluateHandle(
    ([all, everyMillis]) => {
      const { tell: say } = window as unknown as { tell: (name: string, data: unknown) => Promise<void> };
      let round = 0;
      const timer = setInterval(() => {
        round++;
        const ports = all.flatMap((node, i) =>
          [1, 2, 3, 4].map((port) => {
            const bits = 10 ** (3 + ((i * 7 + port + round) % 7));
            return { node, port, inBitsPerSecond: bits, outBitsPerSecond: bits };
          }),
        );
        void say("traffic", { ports });
      }, everyMillis);
      return () => clearInterval(timer);
    },
    [nodes.map(({ name }) => name), TICK_MILLIS] as const,
  );
  const done = await act();
  await stop.evaluate((end) => end());
  return done;
}

type Page = Awaited<ReturnType<typeof open>>["page"];

/** Times between frames while the map is dragged. */
async function panFrames(page: Page): Promise<number[]> {
  const box = await page.getByTestId("map").boundingBox();
  const [x, y] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 30];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const frames = record(page);
  for (let i = 0; i < FRAMES; i++) {
    await page.mouse.move(x + 3 * i, y + 2 * i);
  }
  await page.mouse.up();
  return frames;
}

/** The part of Chromium's traces that says how long the page was at something. */
interface Traced {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The thread's time on a processor, in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Does something, and returns the most time on a processor that the page took for one task, in milliseconds. */
async function traced<T>(browser: Browser, page: Page, act: () => Promise<T>): Promise<readonly [T, number]> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  const done = await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: readonly Traced[] };
  const threadOf = ({ pid, tid }: Traced): string => `${pid}/${tid}`;
  const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const pages = new Set(main.map(threadOf));
  const times = traceEvents.flatMap((event) => (pages.has(threadOf(event)) ? (event.tdur ?? 0) : []));
  expect(times.length).toBeGreaterThan(FRAMES);
  return [done, Math.round(times.reduce((most, one) => Math.max(most, one)) / 1000)];
}

async function wheelFrames(page: Page): Promise<number[]> {
  const frames = record(page);
  for (let i = 0; i < FRAMES / 4; i++) {
    await page.mouse.wheel(0, i % 2 === 0 ? -60 : 60);
  }
  return frames;
}

function record(page: Page): Promise<number[]> {
  return page.evaluate(
    (count) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let last = performance.now();
        const next = (now: number): void => {
          times.push(now - last);
          last = now;
          if (times.length < count) {
            requestAnimationFrame(next);
          } else {
            resolve(times);
          }
        };
        requestAnimationFrame(next);
      }),
    FRAMES,
  );
}

function quantiles(times: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}
