// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import paper from "../../lab/policies/paper.json";
import {
  answerFor,
  ask,
  drawn,
  expectAccessible,
  health,
  launch,
  logIn,
  open,
  pauseAgent,
  picture,
  setLink,
} from "./browser";

/** A policy of which eight entries wait for l1, most of them elsewhere. */
const WAITING = {
  id: "told",
  state: "PENDING",
  since: "2026-11-23T06:43:00Z",
  policy: paper,
  directions: [],
  errors: [],
  warnings: [],
  troubles: Array.from({ length: 8 }, (_, i) => ({
    node: i < 2 ? "l1" : "l3",
    table: "sid_list",
    match: String(i),
    state: "PENDING",
    code: "UNAVAILABLE",
    reason:
      i < 2 ? "l1 does not answer since 2026-11-23 06:43:00 UTC" : "it waits for l1, without which none is installed",
    waitsFor: "l1",
  })),
};

it("a node that does not answer is one message, one event and a mark, in a browser whose clock is an hour off", async () => {
  const browser = await launch();
  const { page, complaints } = await open(browser, "", () => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + 3_600_000;
  });
  // Where links are watched, a silent agent takes them along: so the waiting intents are reported in the controller's
  // place.
  await answerFor(page, "policies", () => ({ json: [WAITING] }));
  await answerFor(page, "policies/told", () => ({ json: WAITING }));
  await logIn(page);
  const goOn = pauseAgent("l1");
  try {
    await health(page, "1 node lost");
    await page.goto(page.url().replace(/#.*|$/, "#/policies/told"));
    const message = page
      .locator("summary")
      .getByText(/^no connection to l1 since .*\d\d:\d\d:\d\d UTC; 8 entries pending$/);
    await message.waitFor();
    expect(await page.locator(".head .trouble").count()).toBe(1);
    await picture(page, "events-policy");

    await page.getByRole("link", { name: "Events", exact: true }).click();
    const event = page.getByRole("link", { name: /^l1 does not answer: control lost/ }).first();
    await event.waitFor();
    // By the controller's clock: a moment ago, and not an hour.
    await event.getByText(/(just now|\d+ s ago|\d min ago)/).waitFor();
    await event.hover();
    await expect.poll(() => drawn(page, "node.selected")).toBe(1);
    await expectAccessible(page);
    await picture(page, "events");
    await page.getByLabel("Kind").selectOption("audit");
    await expect.poll(() => event.count()).toBe(0);
    await page.getByLabel("Kind").selectOption("node");
    await event.click();
    await page.getByRole("heading", { name: "l1", exact: true }).waitFor();
    await page.getByText(/^no connection to l1 since .*; \d+ entries pending$/).waitFor();
    await page.getByText(/^no control session, forwarding state unknown, last seen/).waitFor();
    await picture(page, "events-node");
  } finally {
    goOn();
  }
  await page.goto(page.url().replace(/#.*|$/, "#/events"));
  await page.getByText("l1 connected again, tables in sync").first().waitFor();
  expect(complaints).toEqual([]);
  await browser.close();
});

it("a policy whose path is not the wanted one says so, with a ghost of that path", async () => {
  const loose = {
    name: "led",
    headend: "l1",
    hops: ["l2", { node: "l3", loose: true }],
    steering: ["2001:db8:7::/48"],
  };
  const browser = await launch();
  const { page, complaints } = await open(browser, "#/policies/led");
  await logIn(page); // and nothing of the story before is down any more
  await ask("/policies", { method: "POST", json: loose });
  setLink("l2", "l3", false);
  try {
    await page.getByText(/^rerouted since .*\d\d:\d\d:\d\d UTC, desired path down at l2-l3$/).waitFor();
    await expect.poll(() => drawn(page, "edge.ghost")).toBe(2);
    await picture(page, "events-rerouted");
    await page.goto(page.url().replace(/#.*|$/, "#/events"));
    await page.getByText("policy led: rerouted, wanted l2-l3").first().waitFor();
    await page.getByText("link l2-l3 is down", { exact: true }).first().waitFor();
  } finally {
    setLink("l2", "l3", true);
  }
  await page.getByText("policy led: back on its intended path").first().waitFor();
  await health(page, "all up");
  expect(complaints).toEqual([]);
  await browser.close();
  await ask("/policies/led", { method: "DELETE" });
});

it("ten thousand events are as many lines as are asked for", async () => {
  const browser = await launch();
  const { page, complaints } = await open(browser);
  await logIn(page);
  const line = (number: number) => ({
    number,
    time: "2026-11-23T06:43:00Z",
    count: 100,
    first: "2026-11-23T06:42:00Z",
    kind: "link",
    severity: "warning",
    subject: { kind: "link", id: "l1/1-l2/1" },
    text: `link l1-l2 is down (${number})`,
  });
  await answerFor(page, "log?*", (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get("limit"));
    return { json: Array.from({ length: limit }, (_, i) => line(10_000 - i)) };
  });
  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByText("link l1-l2 is down (9901)").waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByText("link l1-l2 is down (9601)").waitFor();
  await page.getByLabel("Filter by text").fill("(9999)");
  await expect.poll(() => page.getByRole("list", { name: "Events" }).locator("li").count()).toBe(1);
  expect(complaints).toEqual([]);
  await browser.close();
});
