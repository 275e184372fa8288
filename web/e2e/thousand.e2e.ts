// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawn, health, launch, logIn, open, picture, pictures } from "./browser";

/** A made-up network of a thousand nodes that nobody placed: a grid with a long way round, hosts at its rim. */

const WIDTH = 40;
const HEIGHT = 25;
const FRAMES = 120;
/** What a pan may take per frame, half of the time and nearly always, drawn by two cores without a graphics card. */
const HALF_WITHIN_MILLIS = 34;
const NEARLY_ALL_WITHIN_MILLIS = 120;
const SHOWN_WITHIN_MILLIS = 15_000;

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

/** What a controller tells of the one node that an address names. */
function detailOf(address: string, topology: Made["topology"]): object {
  const name = address.split("/").at(-1) ?? "";
  return { ...topology.nodes.find((node) => node.name === name), state: "SYNCED", entries: 9 };
}

it("a thousand nodes come up and pan without stutter", async () => {
  const browser = await launch();
  const { page, complaints } = await open(browser);
  const { topology, nodes } = thousand();
  await page.route("**/srv6/topology", (route) => route.fulfill({ json: topology }));
  await page.route("**/srv6/nodes", (route) => route.fulfill({ json: nodes }));
  await page.route("**/srv6/nodes/*", (route) => route.fulfill({ json: detailOf(route.request().url(), topology) }));
  await page.route("**/srv6/nodes/*/entries", (route) => route.fulfill({ json: [] }));
  const started = performance.now();
  await logIn(page);
  await health(page, "1000 nodes");
  const shownMillis = Math.round(performance.now() - started);
  expect(await drawn(page, "node.node")).toBe(WIDTH * HEIGHT);

  await picture(page, "thousand-all");
  const panned = await panFrames(page);
  const zoomed = await wheelFrames(page);
  await page.keyboard.press("/");
  await page.keyboard.type("r2012");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "r2012" }).waitFor();
  await picture(page, "thousand");
  const figures = { shownMillis, panMillis: quantiles(panned), zoomMillis: quantiles(zoomed) };
  writeFileSync(join(pictures, "thousand.json"), `${JSON.stringify(figures, undefined, 2)}\n`);
  console.log(JSON.stringify(figures));

  expect(shownMillis).toBeLessThan(SHOWN_WITHIN_MILLIS);
  expect(figures.panMillis.p50).toBeLessThan(HALF_WITHIN_MILLIS);
  expect(figures.panMillis.p95).toBeLessThan(NEARLY_ALL_WITHIN_MILLIS);
  expect(complaints).toEqual([]);
  await browser.close();
});

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
