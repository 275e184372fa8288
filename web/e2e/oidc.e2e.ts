// SPDX-License-Identifier: Apache-2.0
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, etc, expectAccessible, launch, open, picture, url } from "./browser";
import { issuer, SECRET, type Issuer } from "./issuer";

/** Alice logs in at an issuer's page, by a real browser, and out again. */

const settings = join(etc, "org.sextant.oidc.cfg");
const secret = join(etc, "sextant", "oidc.secret");

let before: string;
let idp: Issuer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  before = readFileSync(settings, "utf8");
  idp = await issuer();
  browser = await launch();
});

afterAll(async () => {
  writeFileSync(settings, before);
  rmSync(secret, { force: true });
  await browser.close();
  idp.close();
});

const ways = async (): Promise<unknown> => (await fetch(`${url}/srv6/login/ways`)).json();
const there = () => page.getByRole("link", { name: "Log in with 127.0.0.1" });

it("without an issuer there is no button for one", async () => {
  expect(await ways()).toEqual({ password: true });
  ({ page } = await open(browser));
  await page.getByRole("button", { name: "Log in" }).waitFor();
  expect(await there().count()).toBe(0);
});

it("with one there is, and who calls it off is told so", async () => {
  writeFileSync(secret, `${SECRET}\n`, { mode: 0o600 });
  writeFileSync(
    settings,
    `issuer = ${idp.url}\naudience = sextant\nclient.id = ${idp.client}\nclient.secret.file = ${secret}\n` +
      `redirect.uri = ${url}/srv6/login/oidc/callback\n`,
  );
  await expect.poll(ways, { timeout: 20_000 }).toMatchObject({ oidc: { issuer: "127.0.0.1" }, session: false });
  await page.reload();
  await there().click();
  await page.getByRole("link", { name: "I am nobody" }).click();
  await page.getByRole("alert").getByText("called off at the issuer").waitFor();
  await expectAccessible(page);
  await picture(page, "login-issuer");
});

it("alice is in, with the role that the issuer gives her, and nothing of a token is in the browser", async () => {
  await there().click();
  await page.getByRole("link", { name: "I am alice" }).click();
  await page.getByText("oidc:alice").waitFor();
  expect(new URL(page.url()).search).toBe("");
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
    ["sextant-session", true, "Strict"],
  ]);
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  );
  expect(kept + JSON.stringify(cookies)).not.toContain("eyJ"); // the beginning of every JWT
});

it("the session outlives a reload, and opens nothing for a page that does not say that it is ours", async () => {
  await page.reload();
  await page.getByText("oidc:alice").waitFor();
  // With the browser's cookies, but not from the page, where it would ask for a password now.
  const status = (await page.request.get(`${url}/srv6/nodes`)).status();
  expect(status).toBe(401);
});

it("she logs out here and at the issuer, and is out after a reload", async () => {
  const back = page.waitForEvent("load");
  await page.getByRole("button", { name: "Log out" }).click();
  // By way of the issuer's page: a reload before would end that.
  await back;
  await there().waitFor();
  await page.reload();
  await there().waitFor();
  await page.getByLabel("Password").waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

it("the audit trail has it all", async () => {
  const lines = (await ask("/audit?limit=50")) as readonly {
    event: string;
    user: string;
    outcome: string;
    how: string;
  }[];
  const told = lines
    .filter(({ how }) => how === "oidc")
    .map(({ event, user, outcome }) => [event, user, outcome])
    .slice(0, 3);
  expect(told).toEqual([
    ["logout", "oidc:alice", "done"],
    ["login", "oidc:alice", "done"],
    ["login", "", "denied"],
  ]);
});
