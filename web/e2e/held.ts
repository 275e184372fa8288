// SPDX-License-Identifier: Apache-2.0
import type { Page } from "playwright-core";
import { url } from "./browser";

/**
 * A page with reproducible screenshots: its clock stands, and every time, counter and measurement from the controller
 * has a fixed value. The objects and their states are the controller's.
 */

const NOW = "2026-11-23T10:00:00.000Z";
const POINTS = 60;
/** The measurements of each kind of object, as in docs/reference/history.md. */
const MEASURED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  link: { bytesPerSecond: 125_000, packetsPerSecond: 250 },
  policy: { bytesPerSecond: 125_000, packetsPerSecond: 250 },
  livelive: {},
};
/** The names of fields with counters of nodes. */
const COUNTED = new Set(["packets", "bytes", "sent", "first", "duplicate", "late", "lost", "delivered", "dropped"]);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** For {@link open}, before the page subscribes to events: it receives only those traffic events that a test sends. */
export function holdsCounts(): void {
  Object.assign(window, { countsHeld: true });
}

/** To be called before the page asks for anything that is to be held. */
export async function hold(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.route(`${url}/srv6/**`, async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    if (request.method() !== "GET" || /^\/srv6\/(ui\/|events$)/.test(pathname)) {
      await route.fallback();
    } else if (pathname === "/srv6/history") {
      await route.fulfill({ json: historyOf((searchParams.get("of") ?? "").split(",")) });
    } else {
      const answer = await route.fetch();
      const headers: Record<string, string> = { ...answer.headers(), date: new Date(NOW).toUTCString() };
      const text = await answer.text();
      const isJson = headers["content-type"]?.includes("json") === true;
      await route.fulfill({
        response: answer,
        headers,
        body: isJson ? JSON.stringify(heldOf(JSON.parse(text))) : text,
      });
    }
  });
}

function historyOf(names: readonly string[]): unknown {
  const things = names.map((of) => ({
    of,
    series: Object.entries(MEASURED[of.split(":")[0] ?? ""] ?? {}).map(([quantity, most]) => ({
      quantity,
      values: Array.from({ length: POINTS }, (_, i) => (most * (i % 10)) / 10),
    })),
  }));
  return { now: NOW, stepSeconds: 60, leftOut: 0, things };
}

function heldOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(heldOf);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, of]) => [name, COUNTED.has(name) && typeof of === "number" ? 0 : heldOf(of)]),
    );
  }
  return typeof value === "string" && TIME.test(value) ? NOW : value;
}
