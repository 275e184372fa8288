// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
  pauseAgent,
  picture,
  setLink,
  url,
} from "./browser";

/** The page when something is not as it should be: addresses, logins, answers, the network, other people. */

const POLICY = { name: "fault", from: "h12", to: "h32", nodes: ["l1", "l2", "l3"] };

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

/** Holds such requests back. */
async function hold(path: string, method = "GET"): Promise<{ seen: Promise<void>; release: () => void }> {
  let release = (): void => undefined;
  let see = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const seen = new Promise<void>((resolve) => (see = resolve));
  await page.route(`${url}/srv6/${path}`, async (route) => {
    if (route.request().method() === method) {
      see();
      await released;
    }
    await route.fallback();
  });
  return { seen, release };
}

const dryRun = "policies?dryRun=true";
const hint = (): ReturnType<Page["locator"]> => page.locator(".hint");
const install = (): ReturnType<Page["getByRole"]> => page.getByRole("button", { name: "Install" });

async function fillIn(from: string, to: string, nodes: string): Promise<void> {
  await page.getByLabel("Source").fill(from);
  await page.getByLabel("Destination", { exact: true }).fill(to);
  if (nodes !== "") {
    await page.getByLabel(/^Path/).fill(nodes);
    await page.keyboard.press("Enter");
  }
}

describe("an address", () => {
  it.each([
    ["#/%E0%A4%A", "There is no page “%E0%A4%A”."],
    ["#/policies/%", "There is no policy “%”"],
    ["#/livelive/%", "There is no flow “%”"],
    ["#/slices/%", "There is no slice “%”"],
    ["#/nodes/node/zz9", "There is no node “zz9”"],
    ["#/nodes/host/zz9", "There is no host “zz9”"],
    ["#/nodes/link/%", "There is no link “%”"],
    ["#/nowhere/at-all", "There is no page “nowhere”."],
  ])("%s is a page all the same", async (hash, text) => {
    await visit(hash);
    await logIn(page);
    await page.getByText(text).waitFor();
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    await page.getByRole("heading", { name: "Nodes" }).waitFor();
    await page.goto(`${url}/srv6/ui/${hash}`);
    await page.getByText(text).waitFor();
  });

  it("is not called wrong before the network is known", async () => {
    await visit("#/nodes/host/h11");
    const topology = await hold("topology");
    await page.getByLabel("Password").fill(passwords.admin);
    await page.getByRole("button", { name: "Log in" }).click();
    await topology.seen;
    await page.getByText("Loading the network…").waitFor();
    topology.release();
    await page.getByRole("heading", { name: "h11" }).waitFor();
  });
});

describe("a browser", () => {
  it("that forbids the page to remember shows it all the same", async () => {
    await visit("#/nodes", () => {
      Object.defineProperty(window, "localStorage", {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      });
    });
    await logIn(page);
    await page.getByRole("button", { name: /Reset the layout/ }).click();
    await page.getByRole("button", { name: "Dark theme" }).click();
    await page.getByRole("button", { name: "Light theme" }).waitFor();
  });

  it("is given no password to keep, and a reload asks for it again", async () => {
    await visit();
    await logIn(page);
    const kept = await page.evaluate(
      () => JSON.stringify([sessionStorage, localStorage].map((storage) => Object.entries(storage))) + document.cookie,
    );
    expect(kept).not.toContain(passwords.admin);
    expect(kept).not.toContain(Buffer.from(`admin:${passwords.admin}`).toString("base64"));
    await page.reload();
    await page.getByLabel("Password").waitFor();
  });
});

describe("a login", () => {
  it("at a controller that is starting is not called a wrong password", async () => {
    await visit();
    await answerFor(page, "session", () => ({
      status: 404,
      contentType: "text/html",
      body: "<h2>HTTP ERROR 404</h2>",
    }));
    await page.getByLabel("Password").fill(passwords.admin);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").getByText("The controller is starting").waitFor();
  });

  it("whose password was changed ends, and the page says why", async () => {
    await visit("#/nodes");
    await logIn(page);
    await answerFor(page, "nodes/**", () => ({ status: 401, json: { title: "Unauthorized", status: 401 } }));
    await page.getByRole("link", { name: /^l1/ }).click();
    await page.getByText("Logged out: the password was changed or the user was removed.").waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    await logIn(page);
    await page.getByRole("heading", { name: "l1", exact: true }).waitFor();
  });

  it("of a viewer is offered no form, of a policy or of a flow", async () => {
    await visit("#/livelive/+/new");
    await logIn(page, "viewer");
    await page.getByText("This user cannot create flows.").waitFor();
    expect(await page.getByLabel("Source").count()).toBe(0);
    await clickOn(page, "h11");
    await page.getByRole("heading", { name: "h11" }).waitFor();
    await page.goto(`${url}/srv6/ui/#/policies/+/new`);
    await page.getByText("This user cannot create policies.").waitFor();
  });
});

describe("a form", () => {
  beforeEach(async () => {
    await visit("#/policies/+/new");
    await logIn(page);
  });

  it("says that two hosts of one node need no way, and asks nobody", async () => {
    await clickOn(page, "h11", "h12");
    await hint().getByText("h11 and h12 are attached to the same node l1").waitFor();
    expect(await install().isDisabled()).toBe(true);
    await picture(page, "one-node");
  });

  it("says that two prefixes need a way", async () => {
    await fillIn("fd00:0:11::/64", "fd00:0:31::/64", "");
    await hint().getByText("Enter the path").waitFor();
    await fillIn("fd00:0:11::/64", "fd00:0:31::/64", "l1 l3");
    await hint().getByText("The plan is valid.").waitFor();
  });

  it("has no red field while nothing is wrong", async () => {
    await page.goto(`${url}/srv6/ui/#/livelive/+/new`);
    await clickOn(page, "h11", "h31");
    await page.getByText("2 paths: packets are replicated over all paths").waitFor();
    expect(await page.locator(".field.wrong, [aria-invalid=true]").count()).toBe(0);
    const colour = (label: string): Promise<string> =>
      page.getByLabel(label, { exact: true }).evaluate((field) => getComputedStyle(field).borderColor);
    const [from, ...others] = await Promise.all(["Source", "Paths", "Disjoint by", "Direction"].map(colour));
    expect(others).toEqual([from, from, from]);
  });

  it.each([
    [400, "Some fields are invalid, see below."],
    [403, "This user has read-only access."],
    [404, "The check by the controller failed, see below."],
    [409, "Conflicts with another intent, see below."],
    [422, "The network cannot support this now, see below."],
    [500, "The check by the controller failed, see below."],
  ])("calls an answer of %i by its name", async (status, text) => {
    await answerFor(page, dryRun, () => ({ status, json: { title: "no", status, detail: "the reason in words" } }));
    await fillIn("h12", "h32", "l1 l3");
    await hint().getByText(text).waitFor();
    await page.getByRole("alert").getByText("the reason in words").waitFor();
    expect(await install().isDisabled()).toBe(true);
  });

  it("ends the login where the controller does not take it", async () => {
    await answerFor(page, dryRun, () => ({ status: 401, json: { title: "Unauthorized", status: 401 } }));
    await fillIn("h12", "h32", "l1 l3");
    await page.getByText("Logged out: the password was changed or the user was removed.").waitFor();
  });

  it("installs nothing that was not answered for, however slow the answer is", async () => {
    await fillIn("h12", "h32", "l1 l3");
    await hint().getByText("The plan is valid.").waitFor();
    const slow = await hold(dryRun, "POST");
    await page.getByLabel("Name (optional)").fill("slow");
    await slow.seen;
    await hint().getByText("Validating…").waitFor();
    expect(await install().isDisabled()).toBe(true);
    expect(await page.getByRole("region", { name: "Preview" }).count()).toBe(1);
    slow.release();
    await hint().getByText("The plan is valid.").waitFor();
    expect(await install().isDisabled()).toBe(false);
  });

  it("asks again when the network changes under it", async () => {
    await fillIn("h12", "h32", "l1 l3");
    await hint().getByText("The plan is valid.").waitFor();
    const again = page.waitForRequest(`${url}/srv6/${dryRun}`);
    try {
      setLink("v8", "p6", false);
      await again;
    } finally {
      setLink("v8", "p6", true);
    }
    await health(page, "all up");
    await hint().getByText("The plan is valid.").waitFor();
  });

  it("takes nobody back who went elsewhere while it was installed", async () => {
    await fillIn(POLICY.from, POLICY.to, POLICY.nodes.join(" "));
    await page.getByLabel("Name (optional)").fill(POLICY.name);
    await hint().getByText("The plan is valid.").waitFor();
    const slow = await hold("policies", "POST");
    await install().click();
    await slow.seen;
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    const listed = page.waitForResponse(`${url}/srv6/policies/${POLICY.name}`);
    slow.release();
    await listed;
    expect(new URL(page.url()).hash).toBe("#/nodes");
    await ask(`/policies/${POLICY.name}`, { method: "DELETE" });
  });

  it("keeps the focus when a node is taken out of the path", async () => {
    await fillIn("h12", "h32", "l1 l2 l3");
    await page.getByRole("button", { name: "Remove l2" }).press("Enter");
    expect(await page.getByLabel(/^Path/).evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await page.locator(".chips li").allInnerTexts()).toEqual([
      expect.stringContaining("l1"),
      expect.stringContaining("l3"),
    ]);
  });
});

describe("a policy", () => {
  beforeEach(async () => {
    await ask("/policies", { method: "POST", json: POLICY });
    await visit(`#/policies/${POLICY.name}`);
    await logIn(page);
    await page.locator(".head .state").getByText("INSTALLED").waitFor();
  });

  afterEach(async () => {
    await ask(`/policies/${POLICY.name}`, { method: "DELETE" });
  });

  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");

  it("is deleted by keys, which never lose their place; Escape takes it back", async () => {
    await page.getByRole("button", { name: "Delete" }).press("Enter");
    await expect.poll(focused).toBe("Delete fault");
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe("Delete");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Delete fault");
    await page.keyboard.press("Enter");
    await page.getByText("No policies").waitFor();
    expect(await page.locator(".content").evaluate((content) => content === document.activeElement)).toBe(true);
  });

  it("that another page deletes says so and is drawn no more", async () => {
    await expect.poll(() => drawn(page, "edge.path")).toBeGreaterThan(0);
    const other = await open(browser, `#/policies/${POLICY.name}`);
    await logIn(other.page);
    await other.page.getByRole("button", { name: "Delete" }).click();
    await other.page.getByRole("button", { name: "Delete fault" }).click();
    await page.getByText("The policy “fault” was deleted.").waitFor();
    expect(await drawn(page, "edge.path")).toBe(0);
    await other.page.context().close();
  });

  it("that was deleted already is deleted", async () => {
    await answerFor(page, `policies/${POLICY.name}`, (route) =>
      route.request().method() === "DELETE"
        ? { status: 404, json: { status: 404, errors: [{ code: "UNKNOWN", field: "", message: "none", remedy: "" }] } }
        : undefined,
    );
    await page.getByRole("button", { name: "Delete" }).click();
    await ask(`/policies/${POLICY.name}`, { method: "DELETE" });
    await page.getByText("The policy “fault” was deleted.").waitFor();
  });

  it("that a node holds still is there until the node let it go", async () => {
    const goOn = pauseAgent("l1");
    try {
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete fault" }).click();
      await page.getByText("Deleting…").waitFor();
      const card = page.getByRole("list", { name: "Policies" }).getByRole("link", { name: /^fault/ });
      await card.getByText("REMOVING").waitFor({ timeout: 40_000 });
      await card.getByText("deletion pending, waiting for l1").waitFor();
      await picture(page, "removing-list");
      await card.click();
      await page.locator(".head .state").getByText("REMOVING").waitFor();
      // Nothing is wrong with it: it is said calmly, and its effect on packets is not the intended one.
      await page.getByRole("status").getByText("Deletion pending – waiting for l1").waitFor();
      expect(await page.locator(".head .trouble").count()).toBe(0);
      expect(await page.getByText("Simulated packet").count()).toBe(0);
      await expect.poll(() => drawn(page, "edge.path")).toBe(0);
      expect(await drawn(page, "node.waiting")).toBe(1);
      await page.getByText("may have").click();
      await page.getByText("steering_v6 vrf 0 fd00:0:32::2/128").waitFor();
      await expectAccessible(page);
      await picture(page, "removing");
    } finally {
      goOn();
    }
    await page.getByText("The policy “fault” was deleted.").waitFor({ timeout: 40_000 });
    expect(await drawn(page, "node.waiting")).toBe(0);
    await health(page, "all up");
  }, 120_000);

  it("in a state that this page does not know is shown with it, and first", async () => {
    const known = (await ask("/policies")) as readonly object[];
    await answerFor(page, "policies", () => ({
      json: ["INSTALLED", "REMOVING", "ODD", "FAILED"].map((state) => ({ ...known[0], id: `is-${state}`, state })),
    }));
    await page.goto(`${url}/srv6/ui/#/policies`);
    await page.reload();
    await page.getByLabel("Password").fill(passwords.admin);
    await page.getByRole("button", { name: "Log in" }).click();
    await health(page, "1 policy failed");
    const cards = page.getByRole("list", { name: "Policies" }).getByRole("listitem");
    await expect
      .poll(() => cards.locator(".state").allInnerTexts())
      .toEqual(["? ODD", "✕ FAILED", "… REMOVING", "✓ INSTALLED"]);
    expect(await cards.locator(".attention .title").allInnerTexts()).toEqual(["is-FAILED"]);
    await cards.getByText("is-REMOVING").click();
    await page.locator(".head .state").getByText("REMOVING").waitFor();
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  });
});

describe("the list of policies", () => {
  it("that the controller could not give says why, and is there as soon as it can", async () => {
    await visit();
    let broken = true;
    await answerFor(page, "policies", () =>
      broken ? { status: 500, json: { title: "Internal error", detail: "a fault of the controller" } } : undefined,
    );
    await logIn(page);
    await page.getByRole("alert").getByText("a fault of the controller").waitFor();
    broken = false;
    await page.getByText("No policies").waitFor();
  });
});

describe("a panel", () => {
  it("that is told what it does not understand says so, and the others work", async () => {
    await visit();
    await answerFor(page, "policies", () => ({ json: [{ id: "of-a-later-controller" }] }));
    await page.getByLabel("Password").fill(passwords.admin);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("Unexpected response of the controller").waitFor();
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    await page.getByRole("link", { name: /^l1/ }).click();
    await page.getByRole("heading", { name: "l1", exact: true }).waitFor();
  });

  it("and the line at the top are two things", async () => {
    await visit();
    await answerFor(page, "livelive", () => ({ json: [{ id: "of-a-later-controller" }] }));
    await page.getByLabel("Password").fill(passwords.admin);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("Unexpected response of the controller").waitFor();
    await page.getByText("No policies").waitFor();
  });

  it("that is no JSON is not called a silent controller", async () => {
    await visit();
    await answerFor(page, "policies", () => ({ contentType: "text/html", body: "<h1>Log in to the proxy</h1>" }));
    await logIn(page);
    await page.getByRole("alert").getByText("The response is not JSON").waitFor();
  });
});

describe("the search", () => {
  beforeEach(async () => {
    await visit("#/nodes");
    await logIn(page);
    await page.keyboard.press("/");
  });

  it("closes when the person goes on, and opens again with the focus", async () => {
    await page.keyboard.type("l1");
    await page.getByRole("option").first().waitFor();
    await page.getByRole("heading", { name: "Nodes" }).click();
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
    await page.getByRole("combobox").focus();
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
  });

  it("finds links, and says when it finds nothing", async () => {
    await page.keyboard.type("zz9");
    await page.getByText("No results").waitFor();
    await expectAccessible(page);
    await page.getByRole("combobox").fill("l1/1-");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "l1 – l2" }).waitFor();
    await expect.poll(() => page.title()).toContain("l1/1-l2/1");
  });
});

describe("links", () => {
  it("are reached by keys, on the map and from their nodes", async () => {
    await visit("#/nodes/node/l2");
    await logIn(page);
    await page.getByTestId("map").focus();
    const heard: string[] = [];
    for (const key of ["ArrowRight", ...Array<string>(6).fill("ArrowRight"), "ArrowLeft"]) {
      await page.keyboard.press(key);
      heard.push(await page.locator(".said").innerText());
      if (heard.at(-1)?.startsWith("link ") === true) {
        break;
      }
    }
    const words = /^link (\S+) to (\S+)$/.exec(heard.at(-1) ?? "");
    expect(words, heard.join(", ")).not.toBeNull();
    await picture(page, "link-by-keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `${words?.[1] ?? ""} – ${words?.[2] ?? ""}` }).waitFor();
    await page.goto(`${url}/srv6/ui/#/nodes/node/l2`);
    await page.getByRole("link", { name: "link to l1" }).press("Enter");
    await page.getByRole("heading", { name: "l1 – l2" }).waitFor();
  });
});
