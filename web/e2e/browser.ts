// SPDX-License-Identifier: Apache-2.0
// A browser over a running controller. `./sextant test web` starts the lab and says where it is by these variables.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { chromium, type Browser, type Page, type Route } from "playwright-core";
import { expect } from "vitest";
import type { NetworkMap } from "../src/map/NetworkMap";

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: run ./sextant test web, which starts a lab and says where it is`);
  }
  return value;
}

export const url = variable("SEXTANT_URL");
export const passwords: Readonly<Record<"admin" | "viewer", string>> = {
  admin: variable("SEXTANT_ADMIN"),
  viewer: variable("SEXTANT_VIEWER"),
};
const prefix = variable("SEXTANT_PREFIX");
const agents = JSON.parse(variable("SEXTANT_AGENTS")) as Record<string, number>;
const controller = Number(variable("SEXTANT_CONTROLLER"));
/** The controller's settings: a file that changes there counts a moment later. */
export const etc = variable("SEXTANT_ETC");
export const pictures = variable("SEXTANT_PICTURES");

/** Faults of the page: errors, and requests to other servers than its own controller. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    // Chromium without the windows, menus and extensions around its pages: these take two thirds of the processor time.
    executablePath: "/usr/bin/chromium-headless-shell",
    // Without these, the browser looks for the Internet and waits where there is none.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** @param before runs in the page before any of its own code */
export async function open(
  browser: Browser,
  hash = "",
  ...before: readonly ((() => void) | undefined)[]
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  for (const one of before.filter((some) => some !== undefined)) {
    await context.addInitScript(one);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refused request is an answer here, not an error of the page; the browser logs it all the same.
    if (["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource")) {
      complaints.push(message.text());
    }
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) {
      complaints.push(`a request to ${request.url()}`);
    }
  });
  await page.goto(`${url}/srv6/ui/${hash}`);
  return { page, complaints };
}

export async function logIn(page: Page, user: "admin" | "viewer" = "admin"): Promise<void> {
  await page.getByLabel("User").fill(user);
  await page.getByLabel("Password").fill(passwords[user]);
  await page.getByRole("button", { name: "Log in" }).click();
  await health(page, "all up");
}

export async function health(page: Page, text: string): Promise<void> {
  await page.getByTestId("health").getByText(text).waitFor();
}

/** Asks the controller as admin, beside the page. */
export async function ask(
  path: string,
  init: { readonly method?: string; readonly json?: unknown } = {},
): Promise<unknown> {
  const { method = "GET", json } = init;
  const answer = await fetch(`${url}/srv6${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`admin:${passwords.admin}`).toString("base64")}`,
      "Content-Type": "application/json",
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** An answer to a request in the controller's place. */
type Answer = Parameters<Route["fulfill"]>[0];

/** Answers such requests of a page in the controller's place; undefined leaves one to the controller. */
export async function answerFor(page: Page, path: string, answer: (route: Route) => Answer): Promise<void> {
  await page.route(`${url}/srv6/${path}`, async (route) => {
    const own = answer(route);
    await (own === undefined ? route.fallback() : route.fulfill(own));
  });
}

/** So soon a person sees a failure. */
export const SEEN_WITHIN_MILLIS = 2_000;

/** The time from an action on the network to the text that a person sees. */
export async function millisUntil(page: Page, text: string, act: () => void): Promise<number> {
  act();
  const started = performance.now();
  await health(page, text);
  return performance.now() - started;
}

/** Where a node or host is drawn, as a person would point at it. */
export async function placeOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  return page.getByTestId("map").evaluate((element, wanted) => {
    const { cy } = (element as HTMLElement & { map: NetworkMap }).map;
    const found = [`n:${wanted}`, `h:${wanted}`].map((id) => cy.getElementById(id).nodes()[0]).find(Boolean);
    if (found === undefined) {
      throw new Error(`${wanted} is not on the map`);
    }
    const { x, y } = found.renderedPosition();
    const box = element.getBoundingClientRect();
    return { x: box.x + x, y: box.y + y };
  }, name);
}

export async function clickOn(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { x, y } = await placeOf(page, name);
    await page.mouse.click(x, y);
  }
}

/** How many things of a class the map draws. */
export function drawn(page: Page, selector: string): Promise<number> {
  return page
    .getByTestId("map")
    .evaluate((element, wanted) => (element as HTMLElement & { map: NetworkMap }).map.cy.$(wanted).length, selector);
}

/** The names that can be read on the map, and where they stand on it. */
export function names(page: Page): Promise<ReturnType<NetworkMap["read"]>> {
  return page.getByTestId("map").evaluate((element) => (element as HTMLElement & { map: NetworkMap }).map.read());
}

/** For {@link open}: besides the controller's news, the page receives those of {@link tell}. */
export function hearsMore(): void {
  const real = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const answer = await real(input, init);
    if (typeof input !== "string" || !input.endsWith("/events") || answer.body === null) {
      return answer;
    }
    const both = new TransformStream<Uint8Array, Uint8Array>();
    const writer = both.writable.getWriter();
    const reader = answer.body.getReader();
    const held = "countsHeld" in window;
    const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
    let rest = "";
    const copy = async (): Promise<void> => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        const news = (rest + decoder.decode(piece.value, { stream: true })).split("\n\n");
        rest = news.pop() ?? "";
        const heard = news.filter((one) => !held || !one.includes("event: traffic"));
        await writer.write(encoder.encode(heard.map((one) => `${one}\n\n`).join("")));
      }
      await writer.close();
    };
    void copy().catch(() => undefined); // the page is gone
    Object.assign(window, {
      tell: (name: string, data: unknown) =>
        writer.write(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)),
    });
    return new Response(both.readable, { status: answer.status, headers: answer.headers });
  };
}

export function tell(page: Page, name: string, data: unknown): Promise<void> {
  return page.evaluate(
    ([event, told]) =>
      (window as unknown as { tell: (name: string, data: unknown) => Promise<void> }).tell(event as string, told),
    [name, data],
  );
}

/** Keeps a picture as an artefact of the run. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** No rule of WCAG 2.2 A and AA, and no best practice that axe knows, is broken by the present page. */
export async function expectAccessible(page: Page): Promise<void> {
  // A style of the page may be under way, such as a cell that rises.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe };
    const found = await here.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return found.violations.map((one) => ({
      rule: one.id,
      where: one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.failureSummary ?? ""}`),
    }));
  });
  expect(violations).toEqual([]);
}

/** Cuts or mends the link at one node's interface. */
export function setLink(node: string, other: string, up: boolean): void {
  execFileSync("ip", ["-n", prefix + node, "link", "set", `${node}-${other}`, up ? "up" : "down"]);
}

/** Sends ten thousand packets from one host to an address, as fast as ping may. */
export function flood(host: string, address: string): void {
  execFileSync("ip", ["netns", "exec", prefix + host, "ping", "-6", "-q", "-f", "-c", "4000", "-s", "800", address]);
}

/** Stops the controller where it is, as a machine would that swaps; returns a function that lets it go on. */
export function pauseController(): () => void {
  return pause(controller);
}

/** As {@link pauseController}, for a node's agent: the node forwards, and receives nothing. */
export function pauseAgent(node: string): () => void {
  return pause(agents[node] ?? Number.NaN);
}

function pause(pid: number): () => void {
  process.kill(pid, "SIGSTOP");
  return () => process.kill(pid, "SIGCONT");
}

/** kill -9 of a node's agent, as a crash would. */
export function killAgent(node: string): void {
  process.kill(agents[node] ?? 0, "SIGKILL");
}
