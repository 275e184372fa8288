// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  answerFor,
  clickOn,
  drawn,
  expectAccessible,
  health,
  hearsMore,
  launch,
  logIn,
  open,
  picture,
  tell,
} from "./browser";

/** The lab has one controller: the news of three of them are answered in its place. */

interface Told {
  readonly id: string;
  readonly state?: string;
  readonly nodes: readonly string[];
}

const SINCE = "2026-11-23T06:43:00Z";

function clusterOf(members: readonly Told[], unattended: readonly string[] = []) {
  return {
    answers: "onos-1",
    settles: "onos-2",
    compiler: { inForce: 1, own: { oldest: 1, newest: 1 }, heldBackBy: [] },
    members: members.map(({ id, state = "READY", nodes }) => ({
      id,
      state,
      self: id === "onos-1",
      since: SINCE,
      address: `172.29.0.1${id.slice(-1)}`,
      count: nodes.length,
      nodes,
    })),
    unattended,
  };
}

const THREE = clusterOf([
  { id: "onos-1", nodes: ["l1", "l2", "v4"] },
  { id: "onos-2", nodes: ["l3", "p6", "v8"] },
  { id: "onos-3", nodes: ["p7", "v5"] },
]);
/** The third is lost, and one of its nodes has no member yet. */
const LOST = clusterOf(
  [
    { id: "onos-1", nodes: ["l1", "l2", "v4"] },
    { id: "onos-2", nodes: ["l3", "p6", "v5", "v8"] },
    { id: "onos-3", state: "LOST", nodes: [] },
  ],
  ["p7"],
);

let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
});

afterEach(async () => {
  expect(complaints).toEqual([]);
  await page.context().close();
});

async function visit(hash: string, cluster: () => unknown): Promise<void> {
  ({ page, complaints } = await open(browser, hash, hearsMore));
  await answerFor(page, "cluster", () => ({ json: cluster() }));
  await logIn(page);
}

const tab = () => page.getByRole("navigation", { name: "Apps" }).getByRole("link", { name: "Cluster" });

it("a controller that is alone has no tab for its cluster", async () => {
  let asked = 0;
  await visit("#/nodes", () => {
    asked++;
    return clusterOf([{ id: "onos-1", nodes: ["l1"] }]);
  });
  await expect.poll(() => asked).toBeGreaterThan(0);
  await clickOn(page, "l1");
  await page.getByText("Management address").waitFor();
  expect(await tab().count()).toBe(0);
  expect(await page.getByText("Programmed by").count()).toBe(0);
});

it("members are listed, and the nodes of the one that is chosen are marked", async () => {
  await visit("#/nodes", () => THREE);
  await tab().click();
  const members = page.getByRole("list", { name: "Members" });
  await expect.poll(() => members.getByRole("listitem").count()).toBe(3);
  await members.getByText("programs 3 nodes, performs tasks of the whole cluster").waitFor();
  expect(await drawn(page, "node.held")).toBe(0);
  await expectAccessible(page);
  await members.getByRole("link", { name: /^onos-1/ }).click();
  await page.getByText("172.29.0.11").waitFor();
  await expect.poll(() => drawn(page, "node.held")).toBe(3);
  await page.getByRole("list", { name: "Legend" }).getByText("programmed by the selected member").waitFor();
  await expectAccessible(page);
  await picture(page, "cluster-member");
  await page.locator(".content").getByRole("link", { name: "v4" }).click();
  await page.getByRole("heading", { name: "v4", exact: true }).waitFor();
  await page
    .locator("dt", { hasText: "Programmed by" })
    .locator("+ dd")
    .getByRole("link", { name: "onos-1" })
    .waitFor();
  expect(await drawn(page, "node.held")).toBe(0);
});

it("a member that is lost and nodes that nobody acts for are told at once, and marked", async () => {
  let now = THREE;
  await visit("#/cluster", () => now);
  await page.getByRole("list", { name: "Members" }).waitFor();
  now = LOST;
  await tell(page, "cluster", {});
  await health(page, "1 member of the cluster lost, 1 node without a cluster member");
  await expect.poll(() => drawn(page, "node.unattended")).toBe(1);
  await page.getByRole("region", { name: "Nodes without a member" }).getByRole("link", { name: "p7" }).waitFor();
  await page.getByRole("list", { name: "Legend" }).getByText("no controller").waitFor();
  await expectAccessible(page);
  await picture(page, "cluster-lost");
  await page.getByRole("link", { name: /^onos-2/ }).click();
  await expect.poll(() => drawn(page, "node.held")).toBe(4);
  expect(await drawn(page, "node.unattended")).toBe(1);
  await picture(page, "cluster-taken-over");
  await clickOn(page, "p7");
  await page.getByText("no member; the node is not written").waitFor();
});
