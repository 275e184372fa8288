// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeController, ok, type Answer } from "../api/controller.test.fake";

const all = ["firewalls", "policies"];
const admin = ok({ user: "admin", how: "password", roles: ["admin"], mayWrite: true, mayChange: all });
const no: Answer = { status: 401, body: { title: "Unauthorized", status: 401 } };

let controller: FakeController;
let page: AbortController;
let state: typeof import("./session");
let client: typeof import("../api/client");

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  controller = new FakeController();
  controller.answers.set("GET /session", admin);
  page = new AbortController();
  state = await import("./session");
  client = await import("../api/client");
});

afterEach(() => {
  page.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function logIn(): Promise<void> {
  await state.logIn("admin", "secret");
  state.follow(page.signal);
}

const ask = (): Promise<unknown> => client.answer(client.northbound.GET("/nodes")).catch(() => undefined);

describe("a login", () => {
  it("that is not taken leaves nobody logged in, and says so itself", async () => {
    controller.answers.set("GET /session", no);
    await expect(state.logIn("admin", "guess")).rejects.toThrow();
    expect([state.session.value, state.ended.value]).toEqual([undefined, ""]);
  });

  it("is kept in no storage of the browser", async () => {
    const stored = vi.fn();
    vi.stubGlobal("sessionStorage", { setItem: stored, getItem: () => null });
    vi.stubGlobal("localStorage", { setItem: stored, getItem: () => null });
    await logIn();
    expect(stored).not.toHaveBeenCalled();
  });

  it("ends with the first answer that does not take it any more, and says why", async () => {
    await logIn();
    controller.answers.set("GET /nodes", no);
    await ask();
    expect(state.session.value).toBeUndefined();
    expect(state.ended.value).toContain("the password was changed");
    expect(state.mayWrite()).toBe(false);
  });

  it("may change what the controller says, and not what it does not", async () => {
    controller.answers.set(
      "GET /session",
      ok({ user: "sam", how: "password", roles: ["security"], mayWrite: true, mayChange: ["firewalls"] }),
    );
    await logIn();
    expect([state.mayWrite(), state.mayWrite("firewalls"), state.mayWrite("policies")]).toEqual([true, true, false]);
  });

  it("ends when nobody used the page for half an hour, and after twelve hours whoever did", async () => {
    const later = async (minutes: number): Promise<void> => {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      await vi.advanceTimersByTimeAsync(30_000);
    };
    await logIn();
    await later(29);
    expect(state.session.value).toBeDefined();
    await later(1);
    expect([state.session.value, state.ended.value]).toEqual([
      undefined,
      "Logged out after 30 minutes without activity.",
    ]);
    await state.logIn("admin", "secret");
    for (let quarter = 0; quarter < 4 * 12 - 1; quarter++) {
      state.touch();
      await later(15);
    }
    expect(state.session.value).toBeUndefined();
    expect(state.ended.value).toBe("Logged out: sessions end after 12 hours.");
  });

  it("ends within half a minute even if nothing is asked but the news", async () => {
    await logIn();
    controller.answers.set("GET /session", no);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(state.session.value).toBeUndefined();
  });

  it("is not ended by an answer to another one", async () => {
    await logIn();
    const held = controller.hold("GET /nodes");
    const asked = ask();
    const late = await held;
    state.logOut();
    await state.logIn("admin", "another secret");
    late.release(no);
    await asked;
    expect(state.session.value).toMatchObject({ user: "admin" });
  });

  it("loses the right to write as soon as the controller refuses a change", async () => {
    await logIn();
    controller.answers.set(
      "GET /session",
      ok({ user: "admin", how: "password", roles: ["viewer"], mayWrite: false, mayChange: [] }),
    );
    controller.answers.set("POST /audit", { status: 403, body: { title: "Forbidden" } });
    await client.answer(client.northbound.POST("/audit")).catch(() => undefined);
    await vi.waitFor(() => expect(state.mayWrite()).toBe(false));
  });

  it("at a controller of before there were roles may write everything, or nothing", async () => {
    controller.answers.set("GET /session", ok({ user: "admin", mayWrite: true }));
    await logIn();
    expect([state.mayWrite(), state.mayWrite("policies")]).toEqual([true, true]);
    controller.answers.set("GET /session", ok({ user: "viewer", mayWrite: false }));
    await logIn();
    expect([state.mayWrite(), state.mayWrite("policies")]).toEqual([false, false]);
  });

  it("is not ended by a controller that is away", async () => {
    await logIn();
    controller.answers.set("GET /session", "no connection");
    await vi.advanceTimersByTimeAsync(90_000);
    expect(state.mayWrite()).toBe(true);
  });

  it("at the issuer's page goes on with a cookie and a header of our own, and with no password", async () => {
    controller.answers.set(
      "GET /session",
      ok({ user: "oidc:alice", how: "oidc", roles: [], mayWrite: false, mayChange: [] }),
    );
    expect(state.mayResume()).toBe(true);
    await state.resume();
    await ask();
    const [, last] = controller.requests.slice(-2);
    expect(last?.credentials).toBe("same-origin");
    expect(last?.headers.get("X-Sextant-Session")).toBe("1");
    expect(last?.headers.get("Authorization")).toBeNull();
    controller.answers.set("GET /nodes", no);
    await ask();
    expect(state.session.value).toBeUndefined();
  });

  it("at the issuer's page ends at the controller, and at the issuer if it was meant", async () => {
    const left = vi.fn();
    vi.stubGlobal("location", { assign: left });
    controller.answers.set(
      "GET /session",
      ok({ user: "oidc:alice", how: "oidc", roles: [], mayWrite: false, mayChange: [] }),
    );
    controller.answers.set("POST /login/end", ok({ issuer: "https://idp.example/logout" }));
    await state.resume();
    state.logOut("Logged out after 30 minutes without activity.");
    await vi.advanceTimersByTimeAsync(1);
    expect([controller.count("POST /login/end"), left.mock.calls.length]).toEqual([1, 0]);
    expect(state.mayResume()).toBe(false);
    await state.resume();
    state.logOut();
    await vi.waitFor(() => expect(left).toHaveBeenCalledWith("https://idp.example/logout"));
    expect(controller.requests.at(-1)?.headers.get("X-Sextant-Session")).toBe("2");
  });

  it("with a password ends without asking anybody", async () => {
    await logIn();
    state.logOut();
    await vi.advanceTimersByTimeAsync(1);
    expect(controller.count("POST /login/end")).toBe(0);
  });
});

describe("the ways in", () => {
  it("are asked for until the controller is there", async () => {
    const { ways, startOf } = await import("../api/login");
    controller.answers.set("GET /login/ways", { status: 503, body: "" });
    const found = ways(page.signal);
    await vi.advanceTimersByTimeAsync(10);
    controller.answers.set("GET /login/ways", "no connection");
    await vi.advanceTimersByTimeAsync(2_000);
    controller.answers.set(
      "GET /login/ways",
      ok({ password: true, oidc: { issuer: "idp.example", start: "login/oidc" } }),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(startOf((await found) ?? {})).toBe("http://controller/srv6/login/oidc");
    expect(controller.requests.every((request) => request.headers.get("Authorization") === null)).toBe(true);
  });
});
