// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, clickOn, expectAccessible, launch, logIn, open, url } from "./browser";

/** A slice and a session of it, made in the page and installed on the lab's nodes. */

let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  browser = await launch();
  ({ page, complaints } = await open(browser, "#/slices"));
  await logIn(page);
});

afterAll(async () => {
  await browser.close();
});

const field = (name: string) => page.getByRole("textbox", { name, exact: true });

async function remove(id: string): Promise<void> {
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: `Delete ${id}`, exact: true }).click();
}

it("a slice is made by clicks; the controller says what is wrong at its field", async () => {
  await page.getByText("No slices").waitFor();
  await page.getByRole("link", { name: "New slice" }).click();
  await page.getByText("Click the access gateway (the node at the gNBs).").waitFor();
  await clickOn(page, "l1", "l3", "l2");
  await field("Name").fill("by-clicks");
  await field("gNBs").fill("192.0.2.0/24");
  await field("UPFs").fill("2001:db8::1");
  await page.getByText("gNBs have IPv4 addresses").waitFor();
  expect(await field("UPFs").getAttribute("aria-invalid")).toBe("true");
  await field("UPFs").fill("198.51.100.1");
  await page.getByRole("button", { name: "Add match for packets without a session" }).click();
  await page.getByText("a match without a field takes everything").waitFor();
  await field("QFIs").fill("5, 99");
  await page.getByText("99 is not a QFI").waitFor();
  expect(await field("QFIs").getAttribute("aria-invalid")).toBe("true");
  await field("QFIs").fill("5, 9");
  await page.getByRole("region", { name: "Preview" }).getByText("End.M.GTP4.E").waitFor();
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByRole("heading", { name: "by-clicks" }).waitFor();
  await page.getByRole("region", { name: "Counters" }).getByText("0 packets, 0 bytes").nth(1).waitFor();
  await expectAccessible(page);
});

it("a session of it is added, handed over, and keeps the slice", async () => {
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByText("No sessions").waitFor();
  await page.getByRole("link", { name: "New session" }).click();
  await field("ID").fill("phone");
  await field("Uplink endpoint (UPF)").fill("198.51.100.1");
  await field("Uplink TEID").fill("0x1001");
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByRole("heading", { name: "phone" }).waitFor();
  await page.getByText("0 packets/s").first().waitFor();
  await field("New gNB").fill("203.0.113.9");
  await field("New TEID").fill("77");
  await page.getByRole("button", { name: "Hand over" }).click();
  await page.getByText("203.0.113.9 is none of the gNBs of slice").waitFor();
  await field("New gNB").fill("192.0.2.9");
  await page.getByRole("button", { name: "Hand over" }).click();
  await page.getByText("192.0.2.9 0x4d").waitFor();
  await page.goto(`${url}/srv6/ui/#/slices/by-clicks`);
  await remove("by-clicks");
  await page.getByText("is needed by 1 other").waitFor();
});

it("a page of sessions follows what others do to them, and both go", async () => {
  await page.goto(`${url}/srv6/ui/#/slices/by-clicks/sessions`);
  await field("UE address").fill("10.6");
  await page.getByText("not an IPv4 address: 10.6").waitFor();
  await field("UE address").fill("");
  await page.getByRole("link", { name: "phone" }).waitFor();
  const other = { id: "other", uplink: { endpoint: "198.51.100.1", teid: 7 } };
  await ask("/slices/by-clicks/sessions", { method: "POST", json: other });
  await page.getByRole("link", { name: "other" }).waitFor();
  await ask("/slices/by-clicks/sessions/other", { method: "DELETE" });
  await page.getByRole("link", { name: "other" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "phone" }).click();
  await remove("phone");
  await page.getByText("No sessions").waitFor();
  await page.goto(`${url}/srv6/ui/#/slices/by-clicks`);
  await remove("by-clicks");
  await page.getByText("No slices").waitFor();
  expect(complaints).toEqual([]);
});
