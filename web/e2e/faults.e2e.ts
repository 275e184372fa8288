// SPDX-License-Identifier: Apache-2.0
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, logIn, open, url } from "./browser";

/** What a person sees when something is not as it should be: addresses, answers, logins, names, keys. */

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
});

describe("an address", () => {
  it.each([
    ["#/%E0%A4%A", "There is no page “%E0%A4%A”."],
    ["#/policies/%", "There is no policy “%”"],
    ["#/nowhere/at-all", "There is no page “nowhere”."],
  ])("%s is a page all the same", async (hash, text) => {
    const { page, complaints } = await open(browser, hash);
    await logIn(page);
    await page.getByText(text).waitFor();
    await page.getByRole("link", { name: "Nodes" }).click();
    await page.getByRole("heading", { name: "Nodes" }).waitFor();
    await page.goto(`${url}/srv6/ui/${hash}`);
    await page.getByText(text).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

it("a browser that forbids the page to remember shows it all the same", async () => {
  const { page, complaints } = await open(browser, "#/nodes", () => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await logIn(page);
  await page.getByRole("button", { name: /Tidy up/ }).click();
  await page.getByRole("button", { name: "Dark colours" }).click();
  await page.getByRole("button", { name: "Light colours" }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});
