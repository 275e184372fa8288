// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  answerFor,
  ask,
  drawn,
  expectAccessible,
  health,
  hearsMore,
  launch,
  logIn,
  open,
  passwords,
  picture,
  placeOf,
  tell,
  url,
} from "./browser";

/**
 * Others that are not as one thinks: another user at another browser, a controller of another age, a browser that is
 * full.
 */

const POLICY = { name: "both", from: "h12", to: "h32", nodes: ["l1", "l2", "l3"] };

let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
});

async function visit(hash = "", before?: () => void): Promise<void> {
  ({ page, complaints } = await open(browser, hash, before));
}

afterEach(async () => {
  expect(complaints).toEqual([]);
  await page.context().close();
});

async function fillIn(at: Page, nodes: string): Promise<void> {
  await at.getByLabel("Source").fill(POLICY.from);
  await at.getByLabel("Destination", { exact: true }).fill(POLICY.to);
  await at.getByLabel(/^Path/).fill(nodes);
  await at.keyboard.press("Enter");
  await at.getByLabel("Name (optional)").fill(POLICY.name);
  await at.locator(".hint").getByText("The plan is valid.").waitFor();
}

/** Replaces the policy while the form's request is on its way: the controller, not this page, finds that out. */
async function quickly(at: Page, policy: object): Promise<void> {
  await at.route(
    "**/srv6/policies",
    async (request) => {
      await ask("/policies", { method: "POST", json: policy });
      await request.continue();
    },
    { times: 1 },
  );
  await at.getByRole("button", { name: "Replace" }).click();
}

describe("two browsers that make one policy", () => {
  it("lose nothing unseen: who comes second sees what the first made beside his own, and decides", async () => {
    await visit("#/policies/+/new");
    await logIn(page);
    const other = await open(browser, "#/policies/+/new");
    await logIn(other.page);
    await fillIn(page, "l1 l2 l3");
    await fillIn(other.page, "l1 l2 p7 p6 v5 v4 l3");
    await page.getByRole("button", { name: "Install" }).click();
    await page.getByRole("heading", { name: POLICY.name }).waitFor();
    await page.locator(".content").getByText("via l1 l2 l3").waitFor();
    const rival = other.page.getByRole("alert", { name: "Conflicting change" });
    await rival.getByText(`“${POLICY.name}” was created by another user.`).waitFor();
    const ways = rival.getByRole("row", { name: /^nodes/ }).getByRole("cell");
    expect(await ways.allTextContents()).toEqual(["l1, l2, p7, p6, v5, v4, l3", "l1, l2, l3"]);
    expect(await other.page.getByRole("button", { name: "Install" }).getAttribute("aria-disabled")).toBe("true");
    await expectAccessible(other.page);
    await picture(other.page, "rival");
    // Theirs is looked at, and the typed text is still there.
    await rival.getByRole("button", { name: "Use current version" }).click();
    await other.page.locator(".content").getByText("via l1 l2 l3").waitFor();
    await other.page.goBack();
    const warned = other.page.getByText(`“${POLICY.name}” exists and will be replaced.`);
    await warned.waitFor();
    await picture(other.page, "replaces");
    // A script is quicker than the news, which this page does not receive for a while.
    await quickly(other.page, { ...POLICY, nodes: ["l1", "l2", "p7", "l3"] });
    await rival.getByText(`“${POLICY.name}” was changed by another user.`).waitFor();
    expect(await ways.allTextContents()).toEqual(["l1, l2, p7, p6, v5, v4, l3", "l1, l2, p7, l3"]);
    await rival.getByRole("button", { name: "Replace anyway" }).click();
    await other.page.getByRole("heading", { name: POLICY.name }).waitFor();
    await page.locator(".content").getByText("via l1 l2 p7 p6 v5 v4 l3").waitFor();
    await expect.poll(() => drawn(page, 'edge.path.forward[hop = "l2>p7"]')).toBeGreaterThan(0);
    // One is asked whether it shall go while the other takes it away.
    await page.getByRole("button", { name: "Delete" }).click();
    await other.page.getByRole("button", { name: "Delete" }).click();
    // Between the question and the answer another user changes it: it is not deleted unseen.
    await ask("/policies", { method: "POST", json: POLICY });
    await other.page.getByRole("button", { name: `Delete ${POLICY.name}` }).click();
    await other.page
      .getByText("Changed by another user in the meantime; the page shows the current version.")
      .waitFor();
    await other.page.locator(".content").getByText("via l1 l2 l3").waitFor();
    await picture(other.page, "delete-rival");
    await other.page.getByRole("button", { name: "Delete anyway" }).click();
    await page.getByText(`The policy “${POLICY.name}” was deleted.`).waitFor();
    expect(other.complaints).toEqual([]);
    await other.page.context().close();
    await ask(`/policies/${POLICY.name}`, { method: "DELETE" });
  });
});

describe("a browser", () => {
  it("whose storage is full forgets where things were dragged, and nothing else", async () => {
    await visit("#/nodes", () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("it is full", "QuotaExceededError");
      };
    });
    await logIn(page);
    const { x, y } = await placeOf(page, "v8");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 40, { steps: 4 });
    await page.mouse.up();
    expect((await placeOf(page, "v8")).x).toBeCloseTo(x + 60, 0);
    await page.getByRole("button", { name: "Dark theme" }).click();
    await page.getByRole("button", { name: "Light theme" }).waitFor();
    await page.getByRole("button", { name: /Reset the layout/ }).click();
    expect((await placeOf(page, "v8")).x).toBeCloseTo(x, 0);
  });
});

describe("a controller", () => {
  const enter = async (): Promise<void> => {
    await page.getByLabel("Password").fill(passwords.admin);
    await page.getByRole("button", { name: "Log in" }).click();
  };

  it("of before there were roles lets its admin write, and its network is drawn without what it does not tell", async () => {
    await visit("#/policies");
    await answerFor(page, "session", () => ({ json: { user: "admin", mayWrite: true } }));
    await answerFor(page, "login/ways", () => ({ status: 404, body: "" }));
    await page.route(`${url}/srv6/topology`, async (route) => {
      const response = await route.fetch();
      const { nodes, links, hosts } = (await response.json()) as Record<string, Record<string, unknown>[]>;
      const without = (things: typeof nodes, ...fields: readonly string[]) =>
        things?.map((thing) => Object.fromEntries(Object.entries(thing).filter(([field]) => !fields.includes(field))));
      const json = { nodes: without(nodes, "location", "srv6"), links: without(links, "mtuBytes", "srlgs"), hosts };
      await route.fulfill({ response, json });
    });
    for (const path of ["livelive", "slices", "firewalls", "edge", "edge/peers"]) {
      await answerFor(page, path, () => ({ status: 404, contentType: "text/html", body: "<h2>HTTP ERROR 404</h2>" }));
    }
    await enter();
    await expect.poll(() => drawn(page, "node.node")).toBe(8);
    await page.getByRole("link", { name: "New policy" }).waitFor();
    await page.getByRole("link", { name: "Live-Live" }).click();
    await page
      .getByText(/The controller is starting, or a proxy responded in its place/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    await page.getByRole("link", { name: /^l1/ }).click();
    await page.getByRole("heading", { name: "l1", exact: true }).waitFor();
    await picture(page, "older");
  });

  it("whose news nobody understands is asked instead, and its next ones count", async () => {
    await visit("#/nodes", hearsMore);
    await logIn(page);
    const looked = page.waitForRequest(`${url}/srv6/topology`);
    await tell(page, "traffic", { of: "a later controller" });
    await looked;
    await tell(page, "status", "nonsense");
    await tell(page, "of-a-later-controller", { nodes: 7 });
    // Later news count, whether the page received them or was asking anew when they came.
    const names = ["l1", "l2", "l3", "v4", "v5", "p6", "p7", "v8"];
    const stateOf = (name: string): string => (name === "v8" ? "LOST" : "SYNCED");
    await answerFor(page, "nodes", () => ({ json: names.map((name) => ({ name, state: stateOf(name), entries: 0 })) }));
    await tell(page, "status", { nodes: [{ name: "v8", state: "LOST", reason: "gone" }], links: [], ports: [] });
    await health(page, "1 node lost");
  });

  it("that answers slowly and out of turn shows what it said last", async () => {
    await visit("#/nodes", hearsMore);
    await logIn(page);
    let asked = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`${url}/srv6/nodes`, async (route) => {
      asked++;
      const names = ["l1", "l2", "l3", "v4", "v5", "p6", "p7", "v8"];
      const nodes = (state: string) => names.map((name) => ({ name, state, entries: 0 }));
      if (asked === 1) {
        await held;
      }
      await route.fulfill({ json: nodes(asked === 1 ? "LOST" : "SYNCED") });
    });
    await tell(page, "network", {});
    await expect.poll(() => asked).toBe(1);
    // It changes while the first answer is on its way: that one may not have the last word.
    await tell(page, "status", { nodes: [], links: [], ports: [] });
    release();
    await expect.poll(() => asked).toBeGreaterThan(1);
    await health(page, "all up");
    expect(await drawn(page, "node.lost")).toBe(0);
  });
});
