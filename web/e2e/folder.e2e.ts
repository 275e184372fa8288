// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerFor, clickOn, drawn, launch, open, passwords, picture, url } from "./browser";

/**
 * An app is one folder: e2e/toy is put into a copy of the page as src/apps/toy, beside the OpenAPI of its module, and
 * nothing else is changed. The page that is built from the copy is shown in the controller's place, which knows no toys.
 */

const BUILD_MILLIS = 180_000;
const COPIED = ["index.html", "package.json", "public", "scripts", "src", "tsconfig.json", "vite.config.ts"];

let copy: string;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

function build(): void {
  const web = join(copy, "web");
  mkdirSync(join(copy, "apps"), { recursive: true });
  mkdirSync(web);
  symlinkSync(resolve("node_modules"), join(web, "node_modules"));
  COPIED.forEach((name) =>
    cpSync(name, join(web, name), { recursive: true, filter: (path) => !/\.(gen|test)\./.test(path) }),
  );
  readdirSync("../apps").forEach((module) => symlinkSync(resolve("../apps", module), join(copy, "apps", module)));

  const module = join(copy, "apps/srv6-toy/target/classes/META-INF/sextant");
  cpSync("e2e/toy/openapi.json", join(module, "openapi.json"));
  cpSync("e2e/toy", join(web, "src/apps/toy"), { recursive: true, filter: (path) => !path.endsWith(".json") });

  for (const step of [
    "scripts/generate.mjs",
    "node_modules/typescript/bin/tsc",
    "node_modules/vite/bin/vite.js build --logLevel warn",
  ]) {
    execFileSync(process.execPath, step.split(" "), { cwd: web, stdio: ["ignore", 2, 2] });
  }
}

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), "sextant-toy-"));
  build();
  browser = await launch();
  const watched = await open(browser);
  ({ page, complaints } = watched);
  await answerFor(page, "ui/**", (route) => {
    const path = new URL(route.request().url()).pathname.replace("/srv6/ui/", "");
    return { path: join(copy, "web/target/dist", path === "" ? "index.html" : path) };
  });
  // The controller knows no toys: that administrators may change them, too, is added to its answer.
  await page.route(`${url}/srv6/session`, async (route) => {
    const response = await route.fetch();
    const told = (await response.json()) as { readonly mayChange?: readonly string[] };
    const json = response.ok() ? { ...told, mayChange: [...(told.mayChange ?? []), "toys"] } : told;
    await route.fulfill({ response, json });
  });
  const has = { id: "ball", state: "FAILED", toy: { at: "h11" } };
  await answerFor(page, "toys**", (route) => {
    const dry = new URL(route.request().url()).searchParams.has("dryRun");
    const { at } = (route.request().postDataJSON() ?? {}) as { readonly at?: string };
    return dry && at === "h12"
      ? {
          status: 409,
          json: { title: "no", errors: [{ code: "CONFLICT", field: "/at", message: "h12 has one", remedy: "" }] },
        }
      : { json: dry ? { nodes: ["l1", "l2"] } : [has] };
  });
  await page.reload();
}, BUILD_MILLIS);

afterAll(async () => {
  await browser.close();
  rmSync(copy, { recursive: true });
});

it("the folder of an app is all that its tab, its client and its styles take", async () => {
  await page.getByLabel("User").fill("admin");
  await page.getByLabel("Password").fill(passwords.admin);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByTestId("health").getByText("1 toy failed").waitFor();
  expect(await page.getByRole("navigation", { name: "Apps" }).getByRole("link").allTextContents()).toEqual([
    "Policies",
    "Live-Live",
    "Slices",
    "Firewalls",
    "Edge",
    "Toys",
    "Events",
    "Audit log",
    "Nodes",
  ]);
  await page.getByRole("link", { name: "Toys" }).click();
  const toy = page.getByRole("listitem").filter({ hasText: "ball at h11" });
  expect(await toy.evaluate((element) => getComputedStyle(element).borderLeftWidth)).toBe("7px");
  await picture(page, "toy");
});

it("its form asks what a draft becomes, shows problems at their fields, and draws over the map", async () => {
  await page.getByRole("link", { name: "New toy" }).click();
  await clickOn(page, "h13");
  await expect.poll(() => drawn(page, "edge.path.beside3")).toBe(1);
  await page.getByRole("textbox", { name: "At" }).fill("h12");
  await page.getByText("h12 has one").waitFor();
  expect(await page.getByRole("textbox", { name: "At" }).getAttribute("aria-invalid")).toBe("true");
});

it("the page of a host tells what it knows of the host", async () => {
  await page.getByRole("link", { name: "Nodes", exact: true }).click();
  // As long as the form is there, a click on the map is an answer to it.
  await page.getByRole("textbox", { name: "At" }).waitFor({ state: "detached" });
  await clickOn(page, "h11");
  await page.getByRole("heading", { name: "h11" }).waitFor();
  expect(await page.locator("dt", { hasText: "Toys" }).locator("+ dd").textContent()).toBe("1");
  expect(complaints).toEqual([]);
});
