// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import walk from "../../conformance/vectors/walk.json";
import {
  clickOn,
  drawn,
  expectAccessible,
  flood,
  health,
  launch,
  logIn,
  millisUntil,
  names,
  open,
  passwords,
  picture,
  placeOf,
  SEEN_WITHIN_MILLIS,
  setLink,
  url,
  type Watched,
} from "./browser";

const NAME = "by-clicks";
const FLOW = "copied";

let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  browser = await launch();
  watched = await open(browser);
  page = watched.page;
});

afterAll(async () => {
  await browser.close();
});

describe("an operator", () => {
  it("is told that a password is wrong, in the page and not by a dialog of the browser", async () => {
    await expectAccessible(page);
    await page.getByLabel("Password").fill("guess");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").getByText("Wrong user name or password").waitFor();
    await picture(page, "login");
  });

  it("logs in and sees eight nodes, ten links and twelve hosts, all up", async () => {
    await logIn(page);
    expect([await drawn(page, "node.node"), await drawn(page, "edge.link"), await drawn(page, "node.host")]).toEqual([
      8, 10, 12,
    ]);
    await page.getByText("No policies").waitFor();
    await expectAccessible(page);
    await picture(page, "map");
  });

  it("creates the paper's policy by clicks, and sees its bytes before it is there", async () => {
    await page.getByRole("link", { name: "New policy" }).click();
    await page.getByText("Click the source host.").waitFor();
    await clickOn(page, "h11", "l2", "p7", "p6", "v5", "v4", "h31");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("64 bytes of encapsulation").waitFor();
    await preview.getByText("50 % less than plain SRv6").waitFor();
    await preview.getByText("fcbb:bbbb:200:700:600:500:400:0").first().waitFor();
    expect(await drawn(page, "edge.path")).toBe(16);
    await expectAccessible(page);
    await picture(page, "create");
    await page.getByLabel("Name (optional)").fill(NAME);
    await page.getByRole("button", { name: "Install" }).click();
    await page.getByRole("heading", { name: NAME }).waitFor();
    await page.locator(".head .state").getByText("INSTALLED").waitFor();
    await page.getByText("8 of 8 read back").waitFor();
  });

  it("steps the walk, and every address is the paper's", async () => {
    const expected = walk.vectors[0]?.expected.hops ?? [];
    for (const [i, hop] of expected.entries()) {
      const step = page.getByTestId(`step-${i}`);
      expect(await step.locator("b").innerText()).toBe(hop.node);
      expect(await step.locator(".behavior").innerText()).toBe(hop.behavior);
      expect(await step.locator(".da").innerText()).toBe(hop.destinationAddress);
      expect(await step.locator(".sl").innerText()).toBe(`SL ${hop.segmentsLeft}`);
      expect(await step.getAttribute("aria-current")).toBe("step");
      if (i === 3) {
        expect(await page.locator(".cell.gone code").allInnerTexts()).toEqual(["0200", "0700"]);
        expect(await page.locator(".cell.now code").allInnerTexts()).toEqual(["0600"]);
        await expectAccessible(page);
        await picture(page, "walk");
      }
      if (i < expected.length - 1) {
        await page.getByRole("button", { name: "Next node" }).press("Enter");
      }
    }
    // The button that leads no further keeps the focus.
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Next node");
    await page.getByTestId("step-6").press("ArrowLeft");
    expect(await page.getByTestId("step-5").getAttribute("aria-current")).toBe("step");
    await page.getByText("decrements Segments Left, and copies the next container to the destination.").waitFor();
  });

  it("sees the same in the dark", async () => {
    await page.getByRole("button", { name: "Dark theme" }).click();
    await expectAccessible(page);
    await picture(page, "walk-dark");
    await page.setViewportSize({ width: 375, height: 812 });
    await expectAccessible(page);
    const readable = (await names(page)).map(({ text }) => text);
    expect(readable).toEqual(expect.arrayContaining(["l1", "l2", "l3", "v4", "v5", "p6", "p7", "v8"]));
    await picture(page, "narrow");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Light theme" }).click();
  });

  it("sees packets take it", async () => {
    flood("h11", "fd00:0:31::2");
    await expect.poll(() => drawn(page, "edge.busy"), { timeout: 10_000 }).toBeGreaterThanOrEqual(6);
    await picture(page, "traffic");
  });

  it("sees a link fail and come back within two seconds", async () => {
    expect(await millisUntil(page, "1 link down", () => setLink("v8", "p6", false))).toBeLessThan(SEEN_WITHIN_MILLIS);
    expect(await drawn(page, "edge.down")).toBe(1);
    await picture(page, "failure");
    setLink("v8", "p6", true);
    await health(page, "all up");
  });

  it("sees why a policy is not whole when its path is cut, and that it heals", async () => {
    setLink("p7", "p6", false);
    await health(page, "1 link down");
    await page
      .locator(".head .state")
      .getByText(/INSTALLED|DEGRADED|FAILED/)
      .waitFor();
    setLink("p7", "p6", true);
    await health(page, "all up");
    await page.locator(".head .state").getByText("INSTALLED").waitFor();
  });

  it("finds a node by its name and sees its SIDs, entries and ports", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("l3");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "l3", exact: true }).waitFor();
    const sids = page.getByRole("region", { name: "Local SIDs" });
    await sids.getByText("fcbb:bbbb:300:f00d::/64").waitFor();
    await page.getByText("steering_v6").first().click();
    await page.getByText("fd00:0:11::2/128").first().waitFor();
    await page.getByText("Capabilities").click();
    await page.getByText("Pushes up to 16 segments.").waitFor();
    await expectAccessible(page);
    await picture(page, "node");
  });

  it("goes over the map by keys", async () => {
    await page.getByTestId("map").focus();
    await page.keyboard.press("ArrowRight");
    const said = await page.locator(".said").innerText();
    expect(said).toMatch(/^(node|host) /);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: said.split(" ")[1] ?? "", exact: true }).waitFor();
  });

  it("finds things where they were dragged, also after a reload, and tidies up", async () => {
    const before = await placeOf(page, "v8");
    await page.mouse.move(before.x, before.y);
    await page.mouse.down();
    await page.mouse.move(before.x + 60, before.y - 40, { steps: 4 });
    await page.mouse.up();
    const kept = await page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith("sextant.places.")),
    );
    expect(kept).toHaveLength(1);
    const ratio = async (): Promise<number> => {
      const [p6, p7, v8] = await Promise.all([placeOf(page, "p6"), placeOf(page, "p7"), placeOf(page, "v8")]);
      return (v8.x - p7.x) / (p6.x - p7.x);
    };
    const dragged = await ratio();
    expect(dragged).toBeGreaterThan(0.55);
    await page.reload();
    // The password was in the page's memory and nowhere else.
    await logIn(page);
    expect(await ratio()).toBeCloseTo(dragged, 2);
    await page.getByRole("button", { name: /Reset the layout/ }).click();
    expect(await ratio()).toBeCloseTo(0.5, 2);
  });

  it("sees what is wrong at the field that it is about", async () => {
    await page.goto(`${url}/srv6/ui/#/policies/+/new`);
    await page.getByLabel("Source").fill("h12");
    await page.getByLabel("Destination", { exact: true }).fill("h99");
    await page.getByLabel(/^Path/).fill("l1 l2 l9 l3");
    await page.keyboard.press("Enter");
    await page.getByText('there is no node "l9"').waitFor();
    expect(await page.locator(".chips li.wrong").innerText()).toContain("l9");
    expect(await page.getByLabel("Destination", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Source").getAttribute("aria-invalid")).toBe("false");
    expect(await page.getByRole("button", { name: "Install" }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await picture(page, "problem");
  });

  it("deletes the policy, after being asked once more", async () => {
    await page.goto(`${url}/srv6/ui/#/policies/${NAME}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: `Delete ${NAME}` }).click();
    await page.getByText("No policies").waitFor();
    expect(await drawn(page, "edge.path")).toBe(0);
  });

  it("sends a flow over two paths by clicking its hosts, and sees what each delivers", async () => {
    await page.getByRole("link", { name: "Live-Live" }).click();
    await page.getByRole("link", { name: "New flow" }).click();
    await page.getByText("Click the source host.").waitFor();
    await clickOn(page, "h13", "h33");
    await page.getByText("2 paths: packets are replicated over all paths").waitFor();
    expect(await drawn(page, "edge.beside0")).toBeGreaterThan(3);
    expect(await drawn(page, "edge.beside1")).toBeGreaterThan(3);
    await expectAccessible(page);
    await page.getByLabel("Direction").selectOption("symmetric");
    await page.getByLabel("Name (optional)").fill(FLOW);
    await page.getByRole("button", { name: "Install" }).click();
    await page.getByRole("heading", { name: FLOW }).waitFor();
    await page.locator(".content .state").getByText("INSTALLED").waitFor();
    flood("h13", "fd00:0:33::2");
    const there = page.getByRole("region", { name: "Paths from h13 to h33" });
    await there.getByText(/[1-9]\S* delivered/).waitFor();
    await there.getByText("delivering").nth(1).waitFor();
    await expectAccessible(page);
    await picture(page, "livelive");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: `Delete ${FLOW}` }).click();
    await page.getByText("No flows").waitFor();
  });

  it("saw nothing of an error, and the page asked nobody but its controller", () => {
    expect(watched.complaints).toEqual([]);
  });
});

describe("a viewer", () => {
  it("sees everything and is offered no writing; the controller refuses it, too", async () => {
    const other = await open(browser);
    await logIn(other.page, "viewer");
    await other.page.getByText("read-only").waitFor();
    expect(await other.page.getByRole("link", { name: "New policy" }).count()).toBe(0);
    await other.page.goto(`${url}/srv6/ui/#/policies/+/new`);
    await other.page.getByText("This user cannot create").waitFor();
    const answer = await fetch(`${url}/srv6/policies`, {
      method: "POST",
      headers: {
        Authorization: `Basic ${Buffer.from(`viewer:${passwords.viewer}`).toString("base64")}`,
        "Content-Type": "application/json",
      },
      body: "{}",
    });
    expect(answer.status).toBe(403);
    await other.page.context().close();
  });
});
