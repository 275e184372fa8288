// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { NetworkMap } from "../src/map/NetworkMap";
import {
  answerFor,
  ask,
  clickOn,
  drawn,
  expectAccessible,
  health,
  launch,
  logIn,
  open,
  passwords,
  pauseController,
  picture,
  url,
} from "./browser";

/** Networks and controllers as others have them: names of any length, nothing described, a path that is silent. */

let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
});

afterEach(async () => {
  expect(complaints).toEqual([]);
  await page.context().close();
});

async function visit(hash = ""): Promise<void> {
  ({ page, complaints } = await open(browser, hash));
}

const end = (node: string, port: number): object => ({ node, port });
const node = (name: string): object => ({
  name,
  deviceId: `device:${name}`,
  ready: true,
  management: "",
  pipeconf: "org.sextant.linux",
  ports: [
    { number: 1, name: `${name}-to-the-other-side`, up: true, mtuBytes: 9000 },
    { number: 2, name: "eth2", up: true },
  ],
  srv6: { block: "fcbb:bbbb::/32", format: "F3216", uSid: "0100" },
});
const link = (from: string, to: string): object => ({
  id: `${from}/1-${to}/1`,
  up: true,
  from: end(from, 1),
  to: end(to, 1),
  igpMetric: 10,
  teMetric: 10,
  srlgs: [],
  affinities: [],
});
const host = (name: string, at: string, addresses: readonly string[]): object => ({
  name,
  node: at,
  port: 2,
  addresses,
});

interface Network {
  readonly nodes: readonly string[];
  readonly links?: readonly object[];
  readonly hosts?: readonly object[];
}

/** A network that the controller does not have. */
async function invent({ nodes, links = [], hosts = [] }: Network): Promise<void> {
  await answerFor(page, "topology", () => ({ json: { nodes: nodes.map(node), links, hosts } }));
  await answerFor(page, "nodes", () => ({ json: nodes.map((name) => ({ name, state: "SYNCED", entries: 0 })) }));
  await answerFor(page, "nodes/*", () => ({ json: { ...node(nodes[0] ?? ""), state: "SYNCED", entries: 0 } }));
  await answerFor(page, "nodes/*/entries", () => ({ json: [entry(nodes[0] ?? "")] }));
}

const entry = (at: string): object => ({
  node: at,
  table: "my_sid",
  match: "fcbb:bbbb:100::/48",
  action: "un",
  state: "FAILED",
  code: "FAILED_PRECONDITION",
  reason: `a foreign route of ${at} is there already`,
});

async function enter(text: string): Promise<void> {
  await page.getByLabel("Password").fill(passwords.admin);
  await page.getByRole("button", { name: "Log in" }).click();
  await health(page, text);
}

/** Elements that stick out of the panel, or of the line at the top. */
function stickingOut(): Promise<readonly string[]> {
  return page.evaluate(() =>
    [".content", ".top"].flatMap((selector) => {
      const frame = document.querySelector(selector);
      const right = (frame?.getBoundingClientRect().right ?? 0) + 1;
      return [...(frame?.querySelectorAll("*:not(option, .sr)") ?? [])]
        .filter((one) => one.getBoundingClientRect().right > right)
        .map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`);
    }),
  );
}

const LONG = `a-node-${"of-the-north-eastern-ring-".repeat(3)}0001`.slice(0, 80).padEnd(80, "9");
const WIDE = "東京データセンター基幹ルーター".repeat(6).slice(0, 80);
const UNBROKEN = "m".repeat(80);

describe("names of eighty characters, also wide ones", () => {
  const network: Network = {
    nodes: [LONG, WIDE],
    links: [link(LONG, WIDE), link(WIDE, LONG)],
    hosts: [host(UNBROKEN, LONG, ["fd00:0:11::2"]), host(`${WIDE}客`.slice(-80), WIDE, ["fd00:0:31::2"])],
  };

  it.each([
    ["list", "#/nodes", LONG],
    ["node", `#/nodes/node/${LONG}`, "is there already"],
    ["wide-node", `#/nodes/node/${encodeURIComponent(WIDE)}`, "Local SIDs"],
    ["host", `#/nodes/host/${UNBROKEN}`, "fd00:0:11::2"],
    ["link", `#/nodes/link/${encodeURIComponent(`${LONG}/1-${WIDE}/1`)}`, "IGP metric"],
  ])("stay in the panel of a %s", async (what, hash, text) => {
    await visit(hash);
    await invent(network);
    await enter("2 nodes");
    await page.getByText(text).first().waitFor();
    expect(await stickingOut()).toEqual([]);
    await expectAccessible(page);
    await picture(page, `long-${what}`);
  });

  it("stay in a form, in a search and under the icons of the map", async () => {
    await visit("#/policies/+/new");
    await invent(network);
    await enter("2 nodes");
    await clickOn(page, UNBROKEN, WIDE);
    await expect.poll(() => page.getByLabel("Source").inputValue()).toBe(UNBROKEN);
    await page.locator(".chips").getByText(WIDE).waitFor();
    const labels = await page
      .getByTestId("map")
      .evaluate((element) =>
        (element as HTMLElement & { map: NetworkMap }).map.cy.nodes().map((one) => String(one.data("label"))),
      );
    expect(Math.max(...labels.map((label) => label.length))).toBeLessThanOrEqual(21);
    await page.keyboard.press("/");
    await page.keyboard.type("a");
    await page.getByRole("option").first().waitFor();
    expect(await stickingOut()).toEqual([]);
    await picture(page, "long-create");
  });

  it("of a policy stay in the list and on its page", async () => {
    const policy = { from: "h13", to: "h33", nodes: ["l1", "l2", "l3"] };
    const plan = (await ask("/policies?dryRun=true", { method: "POST", json: policy })) as object;
    const stored = {
      id: UNBROKEN,
      state: "FAILED",
      since: "2026-01-01T00:00:00Z",
      policy: { ...policy, from: WIDE, to: UNBROKEN },
      errors: [{ code: "UNFEASIBLE", field: "", message: `no way to ${UNBROKEN}`, remedy: "" }],
      troubles: [{ node: LONG, table: "my_sid", match: UNBROKEN, state: "FAILED", reason: WIDE }],
      warnings: [UNBROKEN],
      directions: [],
    };
    await visit("#/policies");
    await answerFor(page, "policies", () => ({ json: [stored] }));
    await answerFor(page, "policies/*", () => ({ json: stored }));
    await answerFor(page, "policies/*/plan", () => ({ json: plan }));
    await enter("1 policy failed");
    await page.getByRole("link", { name: /^m{80}/ }).waitFor();
    expect(await stickingOut()).toEqual([]);
    await picture(page, "long-policies");
    await page.getByRole("link", { name: /^m{80}/ }).click();
    await page.getByText("Simulated packet").waitFor();
    expect(await stickingOut()).toEqual([]);
    await page.getByRole("button", { name: "Delete" }).click();
    expect(await stickingOut()).toEqual([]);
    await expectAccessible(page);
    await picture(page, "long-policy");
  });
});

describe("a network", () => {
  it("of nothing says so everywhere", async () => {
    await visit("#/nodes");
    await invent({ nodes: [] });
    await enter("no nodes");
    await page.getByText("The topology file has no nodes.").waitFor();
    await page.getByTestId("map").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.keyboard.press("0");
    await expectAccessible(page);
    await picture(page, "nothing");
  });

  it("without hosts is drawn, and a policy can be typed", async () => {
    await visit("#/policies/+/new");
    await invent({ nodes: ["a", "b"], links: [link("a", "b"), link("b", "a")] });
    await enter("2 nodes");
    expect([await drawn(page, "node.node"), await drawn(page, "node.host")]).toEqual([2, 0]);
    await clickOn(page, "a", "b");
    await expect.poll(() => page.locator(".chips li").count()).toBe(2);
  });

  it("with a host of no address, or at a node that is not there, is drawn and told as it is", async () => {
    await visit("#/nodes/host/bare");
    await invent({ nodes: ["a"], hosts: [host("bare", "a", []), host("lonely", "nowhere", ["fd00::2"])] });
    await enter("1 node");
    await page.getByText("none: it has no ips in the topology file").waitFor();
    await page.goto(`${url}/srv6/ui/#/nodes/host/lonely`);
    await page.getByText("fd00::2").waitFor();
    expect(await drawn(page, "node.host")).toBe(2);
    await picture(page, "bare-host");
  });

  it("that has one node less is drawn so, and the panel of that node says that it is gone", async () => {
    let nodes = ["a", "b"];
    await visit("#/nodes/node/b");
    await answerFor(page, "topology", () => ({ json: { nodes: nodes.map(node), links: [], hosts: [] } }));
    await answerFor(page, "nodes", () => ({ json: nodes.map((name) => ({ name, state: "SYNCED", entries: 0 })) }));
    await answerFor(page, "nodes/*", () =>
      nodes.includes("b")
        ? { json: { ...node("b"), state: "SYNCED", entries: 0 } }
        : { status: 404, json: { status: 404, errors: [{ code: "UNKNOWN", field: "", message: "no b", remedy: "" }] } },
    );
    await answerFor(page, "nodes/*/entries", () => ({ json: [] }));
    // A stream that ends at once: the page looks at everything anew with each.
    await answerFor(page, "events", () => ({
      contentType: "text/event-stream",
      body: "event: network\ndata: {}\n\n",
    }));
    await page.getByLabel("Password").fill(passwords.admin);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "b", exact: true }).waitFor();
    await page.getByTestId("map").focus();
    await page.keyboard.press("ArrowRight");
    nodes = ["a"];
    await page.getByText("There is no node “b”.").waitFor();
    await expect.poll(() => drawn(page, "node.node")).toBe(1);
    await page.getByTestId("map").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "a", exact: true }).waitFor();
  });
});

describe("a flow with a path over which nothing comes", () => {
  const FLOW = { name: "half", from: "h12", to: "h52", paths: 2 };
  const MTU = "path 2 needs packets of 1580 bytes on l2/3-p7/1, which carries 1500: packets above 1420 are dropped";
  type Stored = Record<string, unknown> & { directions: { paths: { path: number }[] }[] };

  it("is seen in the line at the top, in the list, on its page and on the map, with its warnings", async () => {
    await ask("/livelive", { method: "POST", json: FLOW });
    const real = (await ask(`/livelive/${FLOW.name}`)) as Stored;
    const half = {
      ...real,
      warnings: [MTU],
      directions: real.directions.map((one) => ({
        ...one,
        paths: one.paths.map((path) => ({ ...path, state: path.path === 2 ? "SILENT" : "DELIVERING" })),
      })),
    };
    await visit("#/livelive");
    await answerFor(page, "livelive", () => ({ json: [half] }));
    await answerFor(page, `livelive/${FLOW.name}`, () => ({ json: half }));
    await enter("1 path down (no packets)");
    await page.getByText("Path 2 from h12 to h52: down (no packets)").waitFor();
    await expectAccessible(page);
    await picture(page, "silent-list");
    await page.getByRole("link", { name: /^half/ }).click();
    await page.getByText(MTU).waitFor();
    await page.locator(".badge.bad").getByText("down (no packets)").waitFor();
    await expect.poll(() => drawn(page, "edge.silent")).toBeGreaterThan(0);
    await picture(page, "silent");
    await ask(`/livelive/${FLOW.name}`, { method: "DELETE" });
  });

  /** Shows the flow as the controller would have it. */
  async function shown(change: (real: Stored) => object): Promise<void> {
    await ask("/livelive", { method: "POST", json: FLOW });
    const told = change((await ask(`/livelive/${FLOW.name}`)) as Stored);
    await ask(`/livelive/${FLOW.name}`, { method: "DELETE" });
    await visit("#/livelive");
    await answerFor(page, "livelive", () => ({ json: [told] }));
    await answerFor(page, `livelive/${FLOW.name}`, () => ({ json: told }));
  }

  it("and no other is down in a direction, which is seen although no path is to blame", async () => {
    const event = { at: "2026-01-01T00:00:00Z", state: "DOWN", message: "from h12 to h52: nothing arrives" };
    await shown((real) => ({
      ...real,
      events: [event],
      directions: real.directions.map((one, i) => ({
        ...one,
        state: i === 0 ? "DOWN" : "DELIVERING",
        paths: one.paths.map((path) => ({ ...path, state: i === 0 ? "UNKNOWN" : "DELIVERING" })),
      })),
    }));
    await enter("1 flow direction down");
    await page.getByText("All paths from h12 to h52: down").waitFor();
    expect(await page.locator(".card.attention").count()).toBe(1);
    await picture(page, "down-list");
    await page.getByRole("link", { name: /^half/ }).click();
    await page.getByRole("region", { name: "Paths from h12 to h52" }).locator(".badge.bad").getByText("down").waitFor();
    await page.getByRole("listitem").filter({ hasText: "All paths" }).getByText(event.message).waitFor();
    await expect.poll(() => drawn(page, "edge.silent")).toBeGreaterThan(0);
    await expectAccessible(page);
    await picture(page, "down");
  });

  it("that was deleted waits for its node calmly, and is not deleted twice", async () => {
    const held = { node: "l1", table: "replication", match: "flow 1", state: "REMOVING", reason: "l1 does not answer" };
    await shown((real) => ({ ...real, state: "REMOVING", directions: [], warnings: [], troubles: [held] }));
    await enter("all up");
    await page.getByText("deletion pending, waiting for l1").waitFor();
    expect(await page.locator(".card.attention").count()).toBe(0);
    await picture(page, "flow-removing-list");
    await page.getByRole("link", { name: /^half/ }).click();
    await page.getByRole("status").getByText("Deletion pending – waiting for l1").waitFor();
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
    expect(await page.locator(".content .trouble").count()).toBe(0);
    await expect.poll(() => drawn(page, "node.waiting")).toBe(1);
    await expectAccessible(page);
    await picture(page, "flow-removing");
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    await expect.poll(() => drawn(page, "node.waiting")).toBe(0);
  });

  it("is warned of before it is there", async () => {
    const plan = (await ask("/livelive?dryRun=true", { method: "POST", json: FLOW })) as object;
    await visit("#/livelive/+/new");
    await answerFor(page, "livelive?dryRun=true", () => ({ json: { ...plan, warnings: [MTU] } }));
    await logIn(page);
    await clickOn(page, "h12", "h52");
    await page.getByRole("region", { name: "Preview" }).getByText(MTU).waitFor();
  });
});

describe("a controller", () => {
  it("that has no news for one more page shows it the network all the same", async () => {
    await visit();
    await answerFor(page, "events", () => ({ status: 503, json: { title: "Service Unavailable", status: 503 } }));
    await enter("no live updates: too many open event streams");
    await page.getByText("No policies").waitFor();
    expect(await drawn(page, "node.node")).toBe(8);
  });

  it("that hangs is called silent; when it goes on, the open panel is as it should be", async () => {
    await visit();
    await logIn(page);
    const goOn = pauseController();
    try {
      await health(page, "no connection to the controller; last known state");
      await page.getByRole("link", { name: "Nodes", exact: true }).click();
      await page.getByText("No connection to the controller; last known state.").waitFor();
      await page.getByRole("link", { name: /^l1/ }).click();
      await page.getByText("Loading the node…").waitFor();
    } finally {
      goOn();
    }
    await health(page, "all up");
    await page.getByText("fcbb:bbbb:100:f00d::/64").waitFor();
  });
});

describe("keys alone", () => {
  it("make a policy and take it away again", async () => {
    await visit();
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) {
        await page.keyboard.press(key);
      }
    };
    await expect
      .poll(() => page.getByLabel("Password").evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type(passwords.admin);
    await press("Enter");
    await health(page, "all up");
    await page.getByRole("link", { name: "New policy" }).focus();
    await press("Enter");
    await page.getByRole("heading", { name: "New policy" }).waitFor();
    // The focus is in the panel: back, then the first field.
    await press("Tab", "Tab");
    await page.keyboard.type("h13");
    await press("Tab");
    await page.keyboard.type("h33");
    await press("Tab");
    await page.keyboard.type("l1 l2 l3");
    await press("Enter");
    await page.locator(".hint").getByText("The plan is valid.").waitFor();
    // Direction, decapsulation, packets, name.
    await press("Tab", "Tab", "Tab", "Tab");
    await page.keyboard.type("keys");
    await page.locator(".hint").getByText("The plan is valid.").waitFor();
    await press("Tab", "Enter");
    await page.getByRole("heading", { name: "keys" }).waitFor();
    // Back, then delete.
    await press("Tab", "Tab", "Enter");
    await page.locator("button:focus").getByText("Delete keys").waitFor();
    await press("Enter");
    await page.getByText("No policies").waitFor();
    await page.getByRole("button", { name: "Log out" }).press("Enter");
    await expect
      .poll(() => page.getByLabel("Password").evaluate((field) => field === document.activeElement))
      .toBe(true);
  });
});
