// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeController, noSuch, ok } from "../../api/controller.test.fake";

const policy = (id: string, state = "INSTALLED") => ({ id, state, since: "", policy: {}, errors: [], troubles: [] });
const news = (changed: readonly string[], removed: readonly string[] = []) => ({
  many: false,
  changed: changed.map((id) => ({ kind: "policy", id, state: "INSTALLED" })),
  removed: removed.map((id) => ({ kind: "policy", id })),
});

let controller: FakeController;
let page: AbortController;
let policies: typeof import("./policies");

/** The policies that the page shows. */
const shown = (): unknown =>
  policies.policies.all.value && [...policies.policies.all.value.values()].map((one) => one.id);

function store(...ids: readonly string[]): void {
  controller.answers.set("GET /policies", ok(ids.map((id) => policy(id))));
  ids.forEach((id) => controller.answers.set(`GET /policies/${id}`, ok(policy(id))));
}

function erase(id: string, ...others: readonly string[]): void {
  store(...others);
  controller.answers.set(`GET /policies/${id}`, noSuch("policy"));
}

beforeEach(async () => {
  vi.resetModules();
  controller = new FakeController();
  page = new AbortController();
  policies = await import("./policies");
  const { watch } = await import("../../state/network");
  watch(page.signal);
  await controller.listening();
});

afterEach(() => {
  page.abort();
  vi.unstubAllGlobals();
});

async function startWith(...ids: readonly string[]): Promise<void> {
  store(...ids);
  controller.tell("network", {});
  await vi.waitFor(() => expect(shown()).toEqual(ids));
}

describe("a policy that is gone", () => {
  it("does not come back with an answer that was asked for before", async () => {
    await startWith("a", "b");
    const held = controller.hold("GET /policies/a");
    controller.tell("intents", news(["a"]));
    const look = await held;
    erase("a", "b");
    controller.tell("intents", news([], ["a"]));
    await vi.waitFor(() => expect(shown()).toEqual(["b"]));
    look.release(ok(policy("a")));
    store("b", "c");
    controller.tell("intents", news(["c"]));
    await vi.waitFor(() => expect(shown()).toEqual(["b", "c"]));
  });

  it("does not come back with a list that was asked for before", async () => {
    await startWith("a", "b");
    const held = controller.hold("GET /policies");
    controller.tell("network", {});
    const list = await held;
    erase("a", "b");
    controller.tell("intents", news([], ["a"]));
    await vi.waitFor(() => expect(shown()).toEqual(["b"]));
    list.release(ok([policy("a"), policy("b")]));
    store("b", "c");
    controller.tell("intents", news(["c"]));
    await vi.waitFor(() => expect(shown()).toEqual(["b", "c"]));
  });

  it("is not the last word about the others before anybody asked", async () => {
    const held = controller.hold("GET /policies");
    controller.tell("network", {});
    const list = await held;
    controller.answers.set("GET /policies/a", noSuch("policy"));
    controller.tell("intents", news([], ["a"]));
    await vi.waitFor(() => expect(controller.count("GET /policies/a")).toBe(1));
    expect(shown()).toBeUndefined();
    list.release(ok([policy("b")]));
    await vi.waitFor(() => expect(shown()).toEqual(["b"]));
  });
});

describe("a change of a policy", () => {
  const headerOf = (what: string, header: string): string | null =>
    controller.requests
      .findLast((request) => what === `${request.method} ${new URL(request.url).pathname}`)
      ?.headers.get(header) ?? null;
  const quicker = { status: 412, body: { title: "no", errors: [] } };

  it("says what the person saw of it", async () => {
    await startWith("a");
    controller.answers.set("POST /policies", ok(policy("a")));
    controller.answers.set("DELETE /policies/a", { status: 204, body: "" });
    await policies.policies.submit({ name: "a" }, { "If-None-Match": "*" });
    expect(headerOf("POST /srv6/policies", "If-None-Match")).toBe("*");
    await policies.policies.submit({ name: "a" }, { "If-Match": '"1"' });
    expect(headerOf("POST /srv6/policies", "If-Match")).toBe('"1"');
    await policies.policies.remove("a", '"1"');
    expect(headerOf("DELETE /srv6/policies/a", "If-Match")).toBe('"1"');
  });

  it("that somebody was quicker with is refused, and what he made of it is here then", async () => {
    await startWith("a");
    controller.answers.set("DELETE /policies/a", quicker);
    controller.answers.set("GET /policies/a", ok({ ...policy("a"), etag: '"2"' }));
    await expect(policies.policies.remove("a", '"1"')).rejects.toMatchObject({ status: 412 });
    expect(policies.policies.all.value?.get("a")?.etag).toBe('"2"');
  });
});
