// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clickOn, drawn, expectAccessible, launch, logIn, open, picture } from "./browser";

/** The edge of the lab's nodes is looked at, opened for a host that is clicked, and closed again. */

let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  browser = await launch();
  ({ page, complaints } = await open(browser, "#/edge"));
  await logIn(page);
});

afterAll(async () => {
  await browser.close();
});

const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const region = (name: string) => page.getByRole("region", { name, exact: true });

it("every port has a role and why, and the map has a line to everybody outside", async () => {
  const l1 = region("Ports of l1");
  await l1.getByRole("listitem").filter({ hasText: "host h11" }).getByText("external").waitFor();
  await l1.getByRole("listitem").filter({ hasText: "link l1/1-l2/1" }).getByText("internal").waitFor();
  await expect.poll(() => drawn(page, "edge.path.other")).toBe(12);
  const legend = page.getByRole("list", { name: "Legend" });
  await legend.getByText("external host, filtered").waitFor();
  expect(await legend.getByText("other path of the policy").count()).toBe(0);
  await picture(page, "edge");
  await expectAccessible(page);
});

it("what would let a peer speak as the domain is told at its field", async () => {
  await page.getByRole("link", { name: "Add peer" }).click();
  await field("Name").fill("office");
  await field("Sources").fill("fcbb:bbbb:100::/48");
  await page.getByText("Click a host or enter the ports of the peer").waitFor();
  await clickOn(page, "h12");
  await page.getByText("lies within fcbb:bbbb::/32").waitFor();
  expect(await field("Sources").getAttribute("aria-invalid")).toBe("true");
  expect(await field("Ports").inputValue()).toBe("l1/3");
});

it("a peer is let in, shown at its port, and shut out again", async () => {
  await field("Sources").fill("2001:db8:a::/48");
  await page.getByText("The peer can reach SIDs from these sources and ports.").waitFor();
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByRole("heading", { name: "office" }).waitFor();
  await page.getByRole("link", { name: "Edge" }).first().click();
  await region("Ports of l1").getByText("permits office").waitFor();
  await picture(page, "edge-peer");
  await region("Peers").getByRole("link", { name: "office" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete office" }).click();
  await page.getByRole("heading", { name: "Edge", exact: true }).waitFor();
  await expect.poll(() => region("Peers").count()).toBe(0);
});

it("it stands in the list of firewalls and on the page of a node", async () => {
  await page.getByRole("link", { name: "Firewalls" }).click();
  await page.getByRole("link", { name: "SR domain boundary filter (built in)" }).waitFor();
  await page.getByRole("link", { name: "Nodes", exact: true }).click();
  await page.getByRole("link", { name: "l1" }).first().click();
  await page.getByText(/3 external ports/).waitFor();
  expect(complaints).toEqual([]);
});
