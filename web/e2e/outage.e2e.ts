// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { answerFor, clickOn, drawn, expectAccessible, launch, logIn, open, picture } from "./browser";

it("what the loss of a node would do is told in numbers, and its repairs are drawn dashed", async () => {
  const browser = await launch();
  const { page, complaints } = await open(browser);
  await logIn(page);
  await clickOn(page, "l2");
  const simulate = page.getByRole("button", { name: "Simulate failure" });
  await simulate.click();
  // Nothing of Figure 4 is protected: all that went over l2 is dropped, or goes by links that are as good.
  await page.getByRole("list", { name: "Summary" }).getByText("dropped until").waitFor();
  expect(await drawn(page, "edge.standby")).toBe(0);
  await page.getByRole("list", { name: "Summary of intents" }).waitFor();
  // The node and its three links are drawn as lost, and the legend explains it.
  expect([await drawn(page, "node.simulated"), await drawn(page, "edge.simulated")]).toEqual([1, 3]);
  await page.getByRole("list", { name: "Legend" }).getByText("simulated failure").waitFor();
  await expectAccessible(page);
  await picture(page, "outage");
  await page.getByRole("button", { name: "End simulation" }).click();
  await expect.poll(() => drawn(page, ".simulated")).toBe(0);

  const pairs = { untouched: 41, equalLinks: 0, repaired: 1, dropped: 0, cutOff: 14 };
  const repaired = { node: "l1", destination: "l3", becomes: "repaired", metricBefore: 2, metricAfter: 3 };
  const moves = [{ ...repaired, way: "to v4", bytes: 40, segments: [], links: ["l1/1-l2/1", "l2/2-l3/1"] }];
  const gold = { intent: "policy/gold", becomes: "moved", entries: 0, linksBefore: ["l1/1-l2/1"], why: [] };
  const changes = [{ ...gold, linksAfter: ["l2/2-l3/1"] }];
  const intents = { untouched: 3, moved: 1, fallsBack: 0, broken: 0, mended: 0, changes };
  const outage = { failed: "l2", links: [], pairs, moves, lists: [], intents };
  await answerFor(page, "protection?failed=l2", () => ({ json: { nodes: [], outage } }));
  await simulate.click();
  await page.getByText("to v4, 40 more bytes, metric 2 → 3").waitFor();
  await expect.poll(() => drawn(page, "edge.standby")).toBe(2);
  await page.getByRole("button", { name: "policy/gold" }).click();
  await expect.poll(() => drawn(page, "edge.ghost")).toBe(1);
  expect(await drawn(page, "edge.forward")).toBe(2);
  await page.getByRole("button", { name: "End simulation" }).click();
  await expect.poll(() => drawn(page, "edge.standby")).toBe(0);
  expect(complaints).toEqual([]);
  await browser.close();
});
