// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NetworkMap } from "../src/map/NetworkMap";
import { differs, hasApprovedFonts } from "./approved";
import {
  ask,
  clickOn,
  drawn,
  expectAccessible,
  health,
  hearsMore,
  launch,
  logIn,
  names,
  open,
  picture,
  placeOf,
  tell,
  url,
} from "./browser";
import { hold, holdsCounts } from "./held";
import { misplaced } from "./structure";

/**
 * Every main state on a phone, a tablet, a laptop and a wall: where things stand, and whether they can be read and
 * reached.
 */

const POLICY = { name: "screens", from: "h11", to: "h31", nodes: ["l1", "l2", "p7", "p6", "v5", "v4", "l3"] };
const FLOW = { name: "twice", from: "h12", to: "h52", paths: 2, symmetry: "symmetric" };

/** The fullest of these; the others are looked at on a phone and on a laptop. */
const FULLEST = ["policy", "create", "node"];

interface Screen {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
  readonly forcedColors: "none" | "active";
}

const SCREENS: readonly Screen[] = [
  { width: 375, height: 812, colorScheme: "light", forcedColors: "none" },
  { width: 768, height: 1024, colorScheme: "dark", forcedColors: "none" },
  { width: 1440, height: 900, colorScheme: "light", forcedColors: "active" },
  { width: 1440, height: 900, colorScheme: "light", forcedColors: "none" },
  { width: 2560, height: 1440, colorScheme: "light", forcedColors: "none" },
];

/** The open page, and a text on it once it is there. */
const STATES: readonly (readonly [name: string, hash: string, text: string])[] = [
  ["policies", "#/policies", "via l1 l2"],
  ["policy", `#/policies/${POLICY.name}`, "Simulated packet"],
  ["create", "#/policies/+/new", "Click the source host."],
  ["flow", `#/livelive/${FLOW.name}`, "Path 1"],
  ["slices", "#/slices", "No slices"],
  ["nodes", "#/nodes", "Linux"],
  ["node", "#/nodes/node/l1", "Local SIDs"],
];

/** More than there are on any page. */
const MOST_STOPS = 60;

let browser: Browser;
let page: Page;
let complaints: readonly string[];
let comparable: boolean;

beforeAll(async () => {
  await ask("/policies", { method: "POST", json: POLICY });
  await ask("/livelive", { method: "POST", json: FLOW });
  browser = await launch();
  ({ page, complaints } = await open(browser, "", holdsCounts, hearsMore));
  await hold(page);
  await logIn(page);
  comparable = await hasApprovedFonts(page);
});

afterAll(async () => {
  await browser.close();
  await ask(`/policies/${POLICY.name}`, { method: "DELETE" });
  await ask(`/livelive/${FLOW.name}`, { method: "DELETE" });
  expect(complaints).toEqual([]);
});

async function go(hash: string, text: string): Promise<void> {
  await page.goto(`${url}/srv6/ui/${hash}`);
  await page.locator(".content").getByText(text).first().waitFor();
}

async function show({ width, height, colorScheme, forcedColors }: Screen): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, forcedColors });
  const other = page.getByRole("button", { name: colorScheme === "dark" ? "Dark theme" : "Light theme" });
  if ((await other.count()) > 0) {
    await other.click();
  }
  await page.getByRole("button", { name: "Fit the network" }).click();
}

const nameOf = ({ width, colorScheme, forcedColors }: Screen): string =>
  `${width}-${forcedColors === "active" ? "forced" : colorScheme}`;

describe.each(SCREENS.map((screen) => [nameOf(screen), screen] as const))("a screen of %s", (screenName, screen) => {
  const everything = [375, 1440].includes(screen.width) && screen.forcedColors === "none";
  it.each(STATES.filter(([name]) => everything || FULLEST.includes(name)))(
    "has %s in its place, to be read and reached by everybody",
    async (name, hash, text) => {
      await show(screen);
      await go(hash, text);
      await page.getByRole("button", { name: "Fit the network" }).click();
      // A node's rates are those of the last news: until some come, there are none.
      await tell(page, "traffic", { ports: [] });
      await expect.poll(() => misplaced(page)).toEqual([]);
      await expect.poll(() => onOneLine(page, ".tabs a")).toBe(true);
      await expectAccessible(page);
      await picture(page, `screen-${name}-${screenName}`);
      if (comparable) {
        await expect.poll(() => differs(page, `${name}-${screenName}`)).toBe("");
      }
    },
  );
});

/** True if all selected elements have the same upper edge. */
function onOneLine(of: Page, selector: string): Promise<boolean> {
  return of
    .locator(selector)
    .evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size === 1);
}

it.each([1440, 1300, 2560])("a screen of %i pixels has all tabs in view", async (width) => {
  await page.setViewportSize({ width, height: 900 });
  await go("#/policies", "via l1 l2");
  const tabs = page.locator(".tabs");
  expect(await tabs.evaluate((line) => line.scrollWidth - line.clientWidth)).toBeLessThanOrEqual(0);
});

it.each([375, 1100])(
  "a screen of %i pixels, which has not room for all tabs, has that of the open page in view",
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await go("#/nodes", "Linux");
    const tab = page.getByRole("link", { name: "Nodes", exact: true });
    await expect
      .poll(async () => {
        const box = await tab.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= width;
      })
      .toBe(true);
  },
);

describe("Escape", () => {
  it("closes the innermost first: what is searched, a simulation, then the time of the map", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await go("#/nodes/node/l2", "Local SIDs");
    const group = page.getByRole("group", { name: "Time of the map" });
    const back = page.getByRole("button", { name: "History" });
    await back.click();
    await group.waitFor();
    await page.getByRole("button", { name: "Simulate failure" }).click();
    await page.getByRole("list", { name: "Summary", exact: true }).waitFor();
    const search = page.getByRole("combobox", { name: /^Search/ });
    await search.fill("l1");
    await page.keyboard.press("Escape");
    expect(await search.inputValue()).toBe("");
    expect(await page.getByRole("button", { name: "End simulation" }).count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Simulate failure" }).waitFor();
    expect(await group.count()).toBe(1);
    await page.keyboard.press("Escape");
    await group.waitFor({ state: "detached" });
    expect(await back.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it("closes the legend where it was opened to be read, and leaves it where it is always there", async () => {
    await show(SCREENS[0] as Screen);
    await go("#/nodes", "Linux");
    const legend = page.getByRole("list", { name: "Legend" });
    await page.getByText("Legend", { exact: true }).click();
    await legend.waitFor();
    // The browser draws an element that was opened before it says so to the page.
    const visibleAfterEscape = async (): Promise<boolean> => {
      await page.keyboard.press("Escape");
      return legend.isVisible();
    };
    await expect.poll(visibleAfterEscape).toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => legend.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await legend.isVisible()).toBe(true);
  });
});

it("what never was is not said to be gone", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [hash, text] of [
    ["#/policies/never", "There is no policy “never”."],
    ["#/livelive/never", "There is no flow “never”."],
    ["#/slices/never", "There is no slice “never”."],
    ["#/firewalls/never", "There is no firewall “never”."],
    ["#/edge/peers/never", "There is no peer “never”: its packets to SIDs are dropped."],
  ] as const) {
    await go(hash, text);
  }
});

it("times are in UTC, of 24 hours, with dates as ISO 8601 has them, in a browser that speaks American English", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${url}/srv6/ui/#/audit`);
  const times = page.getByRole("list", { name: "Audit log" }).locator("time");
  await times.first().waitFor();
  for (const text of await times.allInnerTexts()) {
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  }
});

describe("a phone", () => {
  const PHONE: Screen = { width: 375, height: 812, colorScheme: "light", forcedColors: "none" };
  const mapHeight = async (): Promise<number> => (await page.getByTestId("map").boundingBox())?.height ?? 0;
  const handle = () => page.getByRole("separator", { name: "Height of the panel" });

  it("has the panel as a sheet, which keys and a finger pull", async () => {
    await show(PHONE);
    await go("#/nodes", "Linux");
    const before = await mapHeight();
    await handle().focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(mapHeight).toBeGreaterThan(before + 60);
    await expect.poll(() => misplaced(page)).toEqual([]);
    await page.keyboard.press("End");
    await expect.poll(mapHeight).toBe(0);
    const box = await handle().boundingBox();
    await page.mouse.move((box?.x ?? 0) + 150, (box?.y ?? 0) + 12);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 150, 400, { steps: 4 });
    await page.mouse.up();
    await expect.poll(mapHeight).toBeGreaterThan(150);
    await handle().press("Home");
    await handle().press("Enter");
    await expect.poll(mapHeight).toBe(before);
    expect(await handle().getAttribute("aria-valuenow")).toBe("55");
  });

  it("has a host where a finger finds it, beside its dot", async () => {
    await show(PHONE);
    await go("#/nodes", "Linux");
    await page.getByRole("button", { name: "Fit the network" }).click();
    const { x, y } = await placeOf(page, "h51");
    await page.mouse.click(x + 10, y - 10);
    await page.getByRole("heading", { name: "h51" }).waitFor();
  });

  it("has the legend behind a word", async () => {
    await show(PHONE);
    const legend = page.getByRole("list", { name: "Legend" });
    await expect.poll(() => legend.isVisible()).toBe(false);
    await page.getByText("Legend", { exact: true }).click();
    await legend.getByText("edge node (with hosts)").waitFor();
    await page.getByText("Legend", { exact: true }).click();
    await expect.poll(() => legend.isVisible()).toBe(false);
  });
});

describe("the map", () => {
  const DESK: Screen = { width: 1440, height: 900, colorScheme: "light", forcedColors: "none" };

  it("takes a node's hosts along, and puts them back", async () => {
    await show(DESK);
    await go("#/nodes", "Linux");
    await page.getByRole("button", { name: "Fit the network" }).click();
    const offset = async (): Promise<readonly number[]> => {
      const [node, host] = await Promise.all([placeOf(page, "l1"), placeOf(page, "h11")]);
      return [Math.round(host.x - node.x), Math.round(host.y - node.y)];
    };
    const before = await offset();
    const { x, y } = await placeOf(page, "l1");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 50, y + 120, { steps: 5 });
    await page.mouse.up();
    expect((await placeOf(page, "l1")).y).toBeCloseTo(y + 120, 0);
    expect(await offset()).toEqual(before);
    await page.getByRole("button", { name: /Reset the layout/ }).click();
    expect((await placeOf(page, "l1")).y).toBeCloseTo(y, 0);
    expect(await offset()).toEqual(before);
  });

  it("has a line that grows while one clicks, and leads to the pointer", async () => {
    await show(DESK);
    await go("#/policies/+/new", "Click the source host.");
    await clickOn(page, "h13", "l2");
    await page.locator(".chips").getByText("l2").waitFor();
    await expect.poll(() => drawn(page, "edge.growing")).toBe(3); // h13 to l1 to l2, and on to the pointer
    await picture(page, "growing");
    await clickOn(page, "p7", "p6");
    await expect.poll(() => drawn(page, "edge.growing")).toBe(5);
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await expect.poll(() => drawn(page, "edge.growing")).toBe(0);
  });

  it("has no line that another shines through, and the two directions beside each other", async () => {
    await show(DESK);
    await go(`#/policies/${POLICY.name}`, "Simulated packet");
    const lines = await page.getByTestId("map").evaluate((element) => {
      const { cy } = (element as HTMLElement & { map: NetworkMap }).map;
      return cy.edges().map((edge) => Number(edge.style("opacity")) * Number(edge.style("line-opacity")));
    });
    expect(new Set(lines)).toEqual(new Set([1]));
    const apart = await page.getByTestId("map").evaluate((element) => {
      const { cy } = (element as HTMLElement & { map: NetworkMap }).map;
      const [there, back] = ["l2>p7", "p7>l2"].map((hop) => cy.edges(`.path[hop = "${hop}"]`)[0]?.renderedMidpoint());
      return Math.hypot((there?.x ?? 0) - (back?.x ?? 0), (there?.y ?? 0) - (back?.y ?? 0));
    });
    expect(apart).toBeGreaterThan(10);
  });

  it("has the page's colours, and others with them", async () => {
    const colour = (): Promise<string> =>
      page.getByTestId("map").evaluate((element) => {
        const { cy } = (element as HTMLElement & { map: NetworkMap }).map;
        return String(cy.nodes("node.edge").first().style("border-color"));
      });
    await show(DESK);
    const light = await colour();
    await show({ ...DESK, colorScheme: "dark" });
    await expect.poll(colour).not.toBe(light);
    await show({ ...DESK, forcedColors: "active" });
    await expect.poll(colour).not.toBe(light);
    await show(DESK);
    await expect.poll(colour).toBe(light);
  });

  it("tells in its legend what is on it now", async () => {
    await show(DESK);
    await go(`#/policies/${POLICY.name}`, "Simulated packet");
    const legend = page.getByRole("list", { name: "Legend" });
    await legend.getByText("reverse path").waitFor();
    await tell(page, "traffic", { ports: [{ node: "l1", port: 1, inBitsPerSecond: 1e6, outBitsPerSecond: 1e6 }] });
    await legend.getByText("10 kb/s, 10 Mb/s, 10 Gb/s").waitFor();
    await tell(page, "status", { nodes: [], links: [{ id: "p6/1-v5/2", up: false }], ports: [] });
    await tell(page, "status", { nodes: [{ name: "v8", state: "LOST", reason: "" }], links: [], ports: [] });
    await legend.getByText("lost").waitFor();
    await expect.poll(async () => (await names(page)).map(({ text }) => text)).toContain("v8 lost");
    await tell(page, "network", {}); // as it is
    await health(page, "all up");
  });
});

describe("a half-made form", () => {
  it("is as it was left, until it is started over or its user leaves", async () => {
    await go("#/policies/+/new", "Click the source host.");
    await page.getByLabel("Source").fill("h13");
    await page.getByLabel("Name (optional)").fill("half-made");
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    await page.getByRole("heading", { name: "Nodes" }).waitFor();
    await go("#/livelive/+/new", "Click the source host.");
    expect(await page.getByLabel("Source").inputValue()).toBe("");
    await page.goto(`${url}/srv6/ui/#/policies/+/new`);
    await expect.poll(() => page.getByLabel("Source").inputValue()).toBe("h13");
    expect(await page.getByLabel("Name (optional)").inputValue()).toBe("half-made");
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn(page);
    await expect.poll(() => page.getByLabel("Source").inputValue()).toBe("");
  });
});

describe.each([375, 1440])("keys alone, on a screen of %i", (width) => {
  it("come everywhere in view, where everything has a name and shows that one is there", async () => {
    await page.setViewportSize({ width, height: 812 });
    await go(`#/policies/${POLICY.name}`, "Simulated packet");
    await page.getByRole("heading", { name: "Sextant" }).click(); // keys go on from there
    const stops: string[] = [];
    for (let i = 0; i < MOST_STOPS; i++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const here = document.activeElement;
        if (here === null || here === document.body) {
          return undefined;
        }
        const { x, y, width: wide, height: high } = here.getBoundingClientRect();
        const seen = x + wide > 0 && y + high > 0 && x < innerWidth && y < innerHeight;
        const label = here.getAttribute("aria-label") ?? here.textContent.trim();
        const shows = getComputedStyle(here).outlineStyle !== "none";
        return { name: `${here.tagName} ${label}`, wrong: !seen || label === "" || !shows };
      });
      if (stop === undefined) {
        break;
      }
      expect(stop.wrong, stop.name).toBe(false);
      stops.push(stop.name);
    }
    for (const name of [
      "INPUT Search",
      "BUTTON Log out",
      "DIV Network map",
      "BUTTON Zoom in",
      "SUMMARY Legend",
      "A Nodes",
    ]) {
      expect(
        stops.some((stop) => stop.startsWith(name)),
        `${name} among ${stops.join(", ")}`,
      ).toBe(true);
    }
    expect(stops.some((stop) => stop.startsWith("DIV Height of the panel"))).toBe(width < 900);
    expect(new Set(stops).size).toBeGreaterThan(20);
  });
});

describe("a screen reader", () => {
  it("is told what each part of the page is called, and nothing twice", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await go("#/policies", "via l1 l2");
    const told = await page.locator("body").ariaSnapshot();
    for (const part of [
      "- banner:",
      '- heading "Sextant" [level=1]',
      '- region "Network map"',
      '- application "Network map. Arrow keys move between nodes, links and hosts',
      '- group "Zoom"',
      '- button "Zoom in"',
      '- button "Fit the network"',
      '- navigation "Apps"',
      "- main",
      '- heading "Policies 1" [level=2]',
      '- combobox "Search nodes, hosts, links and policies"',
    ]) {
      expect(told).toContain(part);
    }
    const unnamed = told
      .split("\n")
      .filter((line) => /^\s*- (button|link|textbox|combobox|region|navigation)(:|$)/.test(line));
    expect(unnamed).toEqual([]);
  });
});
