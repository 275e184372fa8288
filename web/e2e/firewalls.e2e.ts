// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, clickOn, expectAccessible, launch, logIn, open, picture, url } from "./browser";

/** Yesterday's rules become a firewall on the lab's nodes, which returns the verdict on a packet. */

const RULES = `*filter
:FORWARD DROP [0:0]
-A FORWARD -p udp -m udp --dport 53 -j ACCEPT
-A FORWARD -p udp -m udp --dport 53 -s 2001:db8:1::/64 -j DROP
-A FORWARD -p tcp -m tcp --dport 80 -j ACCEPT
COMMIT
`;

let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  browser = await launch();
  ({ page, complaints } = await open(browser, "#/firewalls"));
  await logIn(page);
});

afterAll(async () => {
  await browser.close();
});

const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const region = (name: string) => page.getByRole("region", { name, exact: true });

it("rules are imported; what has no counterpart is told with its line", async () => {
  await page.getByText("No firewalls").waitFor();
  await page.getByRole("link", { name: "Import rules" }).click();
  await page.getByText("Click the node of the firewall.").waitFor();
  await clickOn(page, "l2");
  await field("Name (optional)").fill("fw-web");
  await field("Rules").fill(RULES.replace("COMMIT", "-A FORWARD -i eth0 -j DROP\nCOMMIT"));
  await region("Preview").getByText("Line 6:").waitFor();
  await page.getByRole("heading", { name: "1 line unsupported" }).waitFor();
  await field("Rules").fill(RULES);
  await region("Preview").getByText("shadowed", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByRole("heading", { name: "fw-web" }).waitFor();
  await region("Rules").getByText("0 hits").nth(3).waitFor();
  await expectAccessible(page);
});

it("a packet is traced through the rules", async () => {
  await field("Source").fill("2001:db8:7::1");
  await field("Destination").fill("2001:db8:9::1");
  await field("Destination port").fill("80");
  await page.getByRole("button", { name: "Trace" }).click();
  await region("Trace").getByText("accept", { exact: true }).waitFor();
  await page.getByText("Rules that did not match: 2").click();
  await picture(page, "firewall");
  await field("Destination port").fill("81");
  await page.getByRole("button", { name: "Trace" }).click();
  await region("Trace").getByText("drop", { exact: true }).waitFor();
  await field("Destination").fill("10.0.0.1");
  await page.getByRole("button", { name: "Trace" }).click();
  await region("Trace").getByRole("alert").waitFor();
});

it("another version can be taken back, and the firewall goes", async () => {
  const json = { name: "fw-web", node: "l2", rules: [{ action: "accept" }] };
  await ask("/firewalls/fw-web", { method: "PUT", json });
  await region("Rules").getByText("any packet").waitFor();
  await page.getByRole("button", { name: "Roll back to version 1" }).click();
  await region("Rules").getByText("never matches").waitFor();
  await page.goto(`${url}/srv6/ui/#/firewalls/fw-web`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete fw-web", exact: true }).click();
  await page.getByText("No firewalls").waitFor();
  expect(complaints).toEqual([]);
});
