// SPDX-License-Identifier: Apache-2.0
import type { Response } from "playwright-core";
import { expect, it } from "vitest";
import { ask, drawn, expectAccessible, flood, health, launch, logIn, open, picture, setLink } from "./browser";

const LINK = "l1/1-l2/1";
const POLICY = "remembered";
/** A few steps of the controller's; a busy machine is given more. */
const PATIENCE = { timeout: 90_000, interval: 1_000 };

interface History {
  readonly things: readonly { readonly series: readonly { readonly values: readonly (number | null)[] }[] }[];
}

interface Moment {
  readonly now: string;
  readonly at: string;
  readonly links: readonly { readonly id: string; readonly up: boolean }[];
}

async function carried(): Promise<boolean> {
  flood("h11", "fd00:0:31::2");
  const { things } = (await ask(`/history?of=link:${LINK}`)) as History;
  return things.some(({ series }) => series.some(({ values }) => values.some((value) => (value ?? 0) > 0)));
}

async function wasDownTenSecondsAgo(): Promise<boolean> {
  const { links } = (await ask("/history/state?at=10")) as Moment;
  return links.some(({ id, up }) => id === LINK && !up);
}

it("the last hour of links are lines, and the map goes back to when one was down", async () => {
  await ask("/policies", { method: "POST", json: { name: POLICY, from: "h11", to: "h31", nodes: ["l1", "l2", "l3"] } });
  await expect.poll(carried, PATIENCE).toBe(true);
  const browser = await launch();
  // This browser's clock is an hour fast.
  const { page, complaints } = await open(browser, "", () => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + 3_600_000;
  });
  await logIn(page);
  setLink("l1", "l2", false);
  await health(page, "1 link down");
  await expect.poll(wasDownTenSecondsAgo, PATIENCE).toBe(true);
  setLink("l1", "l2", true);
  await health(page, "all up");

  await page.getByRole("link", { name: "Nodes", exact: true }).click();
  await page.locator("summary", { hasText: "Links" }).click();
  await page
    .getByRole("img", { name: /^Rate in the last hour: min .*b\/s, now .*, max .*b\/s$/ })
    .first()
    .waitFor();
  await picture(page, "history-links");

  expect(await drawn(page, "edge.link.down")).toBe(0);
  const answer = (): Promise<Response> => page.waitForResponse((told) => told.url().includes("/history/state?at="));
  const reach = answer();
  await page.getByRole("button", { name: "History" }).click();
  await reach;
  const slider = page.getByRole("slider", { name: "Time before now" });
  await slider.focus();
  const goBack = async (): Promise<number> => {
    const answered = answer();
    await page.keyboard.press("ArrowLeft");
    const { at, now } = (await (await answered).json()) as Moment;
    await page
      .getByRole("status")
      .getByText(`${at.slice(11, 19)} UTC`)
      .waitFor();
    expect(at < now, "by the controller's clock").toBe(true);
    return drawn(page, "edge.link.down");
  };
  await expect.poll(goBack, PATIENCE).toBe(1);
  expect(await slider.getAttribute("aria-valuetext")).toMatch(/ago, \d\d:\d\d:\d\d UTC$/);
  await page.getByRole("list", { name: "Legend" }).getByText("down", { exact: true }).waitFor();
  // The text beside the map is of the same moment, and of nothing else.
  const asOf = page.getByRole("note").getByText(/^As of \d\d:\d\d:\d\d UTC/);
  await asOf.waitFor();
  const links = page.getByRole("list", { name: "Links at this time" });
  await links.getByRole("listitem").first().getByText("✕ down").waitFor();
  await page.getByText(/^now: \d+ nodes, \d+ links, all up$/).waitFor();
  await expectAccessible(page);
  await picture(page, "history-past");
  await links.getByRole("link", { name: "l1 – l2" }).click();
  await page.getByRole("heading", { name: "l1 – l2" }).waitFor();
  await asOf.waitFor();
  await page.locator(".content").getByText("✕ down").waitFor();
  await picture(page, "history-past-link");
  await page.getByRole("link", { name: "Policies", exact: true }).click();
  await page.getByRole("list", { name: "Policies at this time" }).getByText(POLICY).waitFor();
  await picture(page, "history-past-policies");
  await page.getByRole("list", { name: "Policies at this time" }).getByText(POLICY).click();
  await asOf.waitFor();
  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByRole("note").getByText("Current state.").waitFor();
  await page.getByRole("link", { name: "Policies", exact: true }).click();

  await page.getByRole("button", { name: "Now", exact: true }).click();
  await expect.poll(() => drawn(page, "edge.link.down")).toBe(0);
  await asOf.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "New policy" }).first().waitFor();
  expect(complaints).toEqual([]);
  await browser.close();
  await ask(`/policies/${POLICY}`, { method: "DELETE" });
}, 240_000);
