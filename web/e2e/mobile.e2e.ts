// SPDX-License-Identifier: Apache-2.0
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import plans from "../src/apps/mobile-srv6/plans.test.json";
import { answerFor, clickOn, drawn, expectAccessible, launch, logIn, open, picture, url } from "./browser";

/** Slices and sessions over the lab's own network; requests to the app are answered in the controller's place. */

interface Slice {
  readonly name: string;
  readonly core: { readonly upfs: readonly string[] };
}

interface Session {
  readonly id: string;
  readonly downlink?: { readonly endpoint: string; readonly teid: number };
}

const SLICE = {
  access: { gateway: "l1", gnbs: ["192.0.2.0/24"] },
  core: { gateway: "l3", upfs: ["198.51.100.1"] },
  downlink: "symmetric",
  default: false,
  container: "always",
};
const URLLC = {
  ...SLICE,
  name: "urllc",
  mode: "enhanced",
  snssai: { sst: 2, sd: "000001" },
  match: [{ teid: "0x1000-0x1fff", qfi: [5, 9] }],
};
const INTERNET = { ...SLICE, name: "internet", mode: "transport", default: true };
const SINCE = "2026-01-01T00:00:00Z";
const KNOWN = { state: "INSTALLED", since: SINCE, errors: [], warnings: [], troubles: [] };
const problem = (status: number, field: string, message: string): object => ({
  status,
  json: { title: "no", errors: [{ code: "INVALID", field, message, remedy: "give another" }] },
});

let slices: { readonly slice: Slice; readonly ways: readonly unknown[] }[];
let sessions: Session[];
let readings = 0;

/** The answers of an app of mobile slices, as far as the page asks. */
function answer(request: Request): object | undefined {
  const { pathname, searchParams } = new URL(request.url());
  const [, , , slice, below, id, plan] = pathname.split("/");
  const body: unknown = request.postDataJSON();
  if (slice === undefined) {
    return request.method() === "POST"
      ? posted(body as Slice, searchParams.has("dryRun"))
      : { json: slices.map(status) };
  }
  if (below === undefined) {
    const found = slices.find((one) => one.slice.name === slice);
    return found === undefined ? problem(404, "", "there is no such slice") : { json: { ...status(found), counters } };
  }
  if (id === undefined) {
    return request.method() === "POST" ? added(body as Session, searchParams.has("dryRun")) : listed(searchParams);
  }
  return plan === undefined ? one(request.method(), id, body) : { json: SESSION_PLAN };
}

const counters = {
  l1: { read: true, packets: 21432, bytes: 2143200, dropped: { noRule: 17 } },
  l3: { read: false },
};

const SESSION_PLAN = {
  slice: "urllc",
  class: 1,
  arguments: { qfi: 9, rqi: false, teid: 4098, hex: "2400001002" },
  entries: [{ node: "l1", table: "gtp_tunnel", match: "0 198.51.100.1 0x1001", action: "set_class 1" }],
  warnings: [],
};

function status({ slice, ways }: (typeof slices)[number]): object {
  return { ...KNOWN, id: slice.name, slice, ways };
}

function posted(slice: Slice, dry: boolean): object {
  if (slice.core.upfs.some((upf) => upf.includes(":"))) {
    return problem(400, "/core/upfs", "gNBs have IPv4 addresses and UPFs have IPv6 ones");
  }
  const made = { slice: { ...SLICE, mode: "enhanced", ...slice }, ways: plans.enhanced.ways };
  if (dry) {
    return { json: plans.enhanced };
  }
  slices.push(made);
  return { status: 201, json: status(made) };
}

function sessionStatus(session: Session): object {
  return { ...KNOWN, id: session.id, session };
}

function listed(query: URLSearchParams): object {
  const after = query.get("after") ?? "";
  const endpoint = query.get("endpoint") ?? "";
  const found = sessions.filter(
    ({ id, downlink }) => id > after && (endpoint === "" || downlink?.endpoint === endpoint),
  );
  return { json: found.slice(0, Number(query.get("limit"))).map(sessionStatus) };
}

function added(session: Session, dry: boolean): object {
  if (!dry) {
    sessions = [...sessions, session].sort((one, other) => (one.id < other.id ? -1 : 1));
  }
  return dry ? { json: SESSION_PLAN } : { status: 201, json: sessionStatus(session) };
}

function one(method: string, id: string, body: unknown): object {
  const found = sessions.find((session) => session.id === id);
  if (found === undefined) {
    return problem(404, "", "there is no such session");
  }
  if (method === "DELETE") {
    sessions = sessions.filter((session) => session !== found);
    return { status: 204 };
  }
  if (method === "PATCH") {
    const { downlink } = body as Required<Session>;
    if (!downlink.endpoint.startsWith("192.0.2.")) {
      return problem(422, "/downlink/endpoint", `${downlink.endpoint} is no gNB of the slice`);
    }
    sessions = sessions.map((session) => (session === found ? { ...found, downlink } : session));
    return { json: sessionStatus({ ...found, downlink }) };
  }
  readings++;
  const counted = {
    uplink: { read: true, packets: 100 * readings, bytes: 100_000 * readings },
    downlink: { read: false },
  };
  return { json: { ...sessionStatus(found), counters: counted } };
}

let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  slices = [
    { slice: URLLC, ways: plans.enhanced.ways },
    { slice: INTERNET, ways: plans.transport.ways },
  ];
  sessions = Array.from({ length: 60 }, (_, i) => ({
    id: `imsi-${100 + i}`,
    ue: [`10.60.0.${i + 1}/32`],
    qfi: 9,
    rqi: false,
    uplink: { endpoint: "198.51.100.1", teid: 4097 + 2 * i },
    downlink: { endpoint: `192.0.2.${1 + (i % 2)}`, teid: 4098 + 2 * i },
  }));
  browser = await launch();
  ({ page, complaints } = await open(browser, "#/slices"));
  await answerFor(page, "slices**", (route) => answer(route.request()));
  await logIn(page);
});

afterAll(async () => {
  await browser.close();
});

/** The elements of the panel that are wider than it. */
function stickingOut(): Promise<readonly string[]> {
  return page.evaluate(() => {
    const frame = document.querySelector(".content");
    const right = (frame?.getBoundingClientRect().right ?? 0) + 1;
    return [...(frame?.querySelectorAll("*:not(option, .sr)") ?? [])]
      .filter((element) => element.getBoundingClientRect().right > right)
      .map((element) => `${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`);
  });
}

async function seen(name: string): Promise<void> {
  expect(await stickingOut()).toEqual([]);
  await expectAccessible(page);
  await picture(page, name);
}

describe("slices", () => {
  it("are listed with what they take, and drawn each in its colour", async () => {
    const cards = page.getByRole("list", { name: "Slices" }).getByRole("listitem");
    await cards.filter({ hasText: "SST 2, SD 000001" }).filter({ hasText: "its sessions, 1 match" }).waitFor();
    expect(await cards.first().getAttribute("class")).toBe("lane0");
    await expect.poll(() => drawn(page, "edge.path.beside0")).toBe(2);
    expect(await drawn(page, "edge.path.beside1")).toBe(6);
    await seen("slices");
  });

  it("are made by clicking gateways; what is wrong stands at its field, and the walk is seen before", async () => {
    await page.getByRole("link", { name: "New slice" }).click();
    await page.getByText("Click the access gateway (the node at the gNBs).").waitFor();
    await clickOn(page, "l1");
    await page.getByText("Click the core gateway").waitFor();
    await clickOn(page, "l3", "p7");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("voice");
    await page.getByRole("textbox", { name: "gNBs", exact: true }).fill("192.0.2.0/24");
    const upfs = page.getByRole("textbox", { name: "UPFs" });
    await upfs.fill("2001:db8::1");
    await page.getByText("gNBs have IPv4 addresses").waitFor();
    expect(await upfs.getAttribute("aria-invalid")).toBe("true");
    await upfs.fill("198.51.100.1");
    await page.getByRole("button", { name: "Add match for packets without a session" }).click();
    await page.getByRole("textbox", { name: "TEIDs" }).fill("0x2000-0x2fff");
    await page.getByRole("region", { name: "Preview" }).getByText("H.M.GTP4.D").waitFor();
    expect(await page.getByRole("combobox", { name: "Access gateway" }).inputValue()).toBe("l1");
    await expect.poll(() => drawn(page, "edge.path.beside0")).toBe(6);
    await seen("slice-new");
    await page.getByRole("button", { name: "Install" }).click();
    await page.getByRole("heading", { name: "voice" }).waitFor();
  });

  it("walk a packet from GTP-U through SRv6 to GTP-U, with its arguments decoded", async () => {
    await page.goto(`${url}/srv6/ui/#/slices/urllc`);
    const last = page.getByTestId("step-6");
    await page.getByTestId("step-0").getByText("TEID 0x12345678").waitFor();
    const decoded = page.locator("dl", { hasText: "32 bits at offset 88" });
    await decoded.getByText("198.51.100.1").waitFor();
    await decoded.getByText("QFI 9").waitFor();
    await page.getByText("20 more than GTP-U").waitFor();
    await last.click();
    await last.getByText("restores GTP-U: TEID 0x12345678, QFI 9").waitFor();
    await last.getByText("The arguments are at bit 48").waitFor();
    expect(await page.getByRole("list", { name: "Colors on the map" }).textContent()).toBe("uplinkdownlink");
    await page.getByText("no matching rule 17").waitFor();
    await page.getByText("counters unavailable").waitFor();
    await last.scrollIntoViewIfNeeded();
    await seen("slice");
  });
});

describe("sessions", () => {
  it("come by pages, and are looked for by their gNB", async () => {
    await page.getByRole("link", { name: "Sessions" }).click();
    const list = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await list.filter({ hasText: "imsi-149" }).waitFor();
    expect(await list.count()).toBe(50);
    await page.getByRole("button", { name: "Next" }).click();
    await list.filter({ hasText: "imsi-159" }).waitFor();
    expect(await page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Previous" }).click();
    await list.filter({ hasText: "imsi-100" }).waitFor();
    await page.getByRole("textbox", { name: "Endpoint (gNB or UPF)" }).fill("192.0.2.2");
    await expect.poll(() => list.count()).toBe(30);
    await seen("sessions");
  });

  it("are added by hand", async () => {
    await page.getByRole("link", { name: "New session" }).click();
    await page.getByRole("textbox", { name: "ID", exact: true }).fill("by-hand");
    await page.getByRole("textbox", { name: "Uplink endpoint (UPF)" }).fill("198.51.100.1");
    await page.getByRole("textbox", { name: "Uplink TEID" }).fill("0x3001");
    await page.getByRole("region", { name: "Preview" }).getByText("gtp_tunnel").waitFor();
    await seen("session-new");
    await page.getByRole("button", { name: "Install" }).click();
    await page.getByRole("heading", { name: "by-hand" }).waitFor();
  });

  it("show what they carry, and are handed over; a gNB of somebody else is refused at its field", async () => {
    await page.goto(`${url}/srv6/ui/#/slices/urllc/sessions/imsi-100`);
    const up = page.getByRole("list", { name: "Traffic" }).getByRole("listitem").first();
    await up.getByText(/[1-9]\d* packets\/s, .* [kM]b\/s/).waitFor();
    await page.getByText("counters unavailable").waitFor();
    const gnb = page.getByRole("textbox", { name: "New gNB" });
    await gnb.fill("203.0.113.9");
    await page.getByRole("textbox", { name: "New TEID" }).fill("77");
    await page.getByRole("button", { name: "Hand over" }).click();
    await page.getByText("is no gNB of the slice").waitFor();
    expect(await gnb.getAttribute("aria-invalid")).toBe("true");
    await gnb.fill("192.0.2.9");
    await page.getByRole("button", { name: "Hand over" }).click();
    await page.getByText("Handed over to 192.0.2.9.").waitFor();
    await page.getByText("192.0.2.9 0x4d").waitFor();
    await seen("session");
  });

  it("are deleted once more asked, and are gone from the list", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete imsi-100" }).click();
    const list = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await list.filter({ hasText: "imsi-101" }).waitFor();
    expect(await list.filter({ hasText: "imsi-100" }).count()).toBe(0);
  });
});

it("all of it fits on a narrow screen", async () => {
  await page.setViewportSize({ width: 375, height: 812 });
  for (const [hash, name] of [
    ["#/slices", "narrow-slices"],
    ["#/slices/urllc", "narrow-slice"],
    ["#/slices/+/new", "narrow-slice-new"],
    ["#/slices/urllc/sessions/imsi-101", "narrow-session"],
  ] as const) {
    await page.goto(`${url}/srv6/ui/${hash}`);
    await page.getByRole("heading", { level: 2 }).waitFor();
    await seen(name);
  }
  expect(complaints).toEqual([]);
});

it("all of it is read in the dark, too", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Dark theme" }).click();
  for (const hash of ["#/slices/urllc", "#/slices/urllc/sessions/imsi-101"]) {
    await page.goto(`${url}/srv6/ui/${hash}`);
    await page.getByRole("heading", { level: 2 }).waitFor();
    await seen("slice-dark");
  }
  expect(complaints).toEqual([]);
});
