// SPDX-License-Identifier: Apache-2.0
import { Ajv, type ValidateFunction } from "ajv";
import { beforeAll, describe, expect, it } from "vitest";
import paper from "../../lab/policies/paper.json";
import { EventParser, type ServerEvent } from "../src/api/sse";
import { passwords, url } from "./browser";

/** The client is typed by the OpenAPI; here the controller's real answers are held against it. */

interface OpenApi {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const headers = { Authorization: `Basic ${Buffer.from(`admin:${passwords.admin}`).toString("base64")}` };
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function ask(path: string, init: Init = {}): Promise<unknown> {
  const answer = await fetch(`${url}/srv6${path}`, { ...init, headers: { ...headers, ...init.headers } });
  return answer.json();
}

const post = (policy: unknown): Init => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(policy),
});

function schema(name: string): ValidateFunction {
  return ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` });
}

function expectFits(name: string, value: unknown): void {
  const validate = schema(name);
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}

beforeAll(async () => {
  const document = (await ask("/openapi.json")) as OpenApi;
  ajv.addSchema(document, "openapi.json");
});

it("the page comes with a policy that allows its own code and nobody else's", async () => {
  for (const path of ["/srv6/ui/", "/srv6/ui/icon.svg", "/srv6/ui/nothing"]) {
    const { headers: sent } = await fetch(url + path);
    expect(sent.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(sent.get("content-security-policy")).not.toContain("unsafe");
    expect(sent.get("x-content-type-options")).toBe("nosniff");
  }
});

describe("what the controller answers is what its OpenAPI says", () => {
  it("network", async () => {
    expectFits("Login", await ask("/session"));
    expectFits("Topology", await ask("/topology"));
    expectFits("Cluster", await ask("/cluster"));
    for (const node of (await ask("/nodes")) as { name: string }[]) {
      expectFits("NodeSummary", node);
      expectFits("NodeDetail", await ask(`/nodes/${node.name}`));
      for (const entry of (await ask(`/nodes/${node.name}/entries`)) as unknown[]) {
        expectFits("Entry", entry);
      }
    }
  });

  it("what happened, and filters that cannot be read", async () => {
    const events = (await ask("/log?limit=1000")) as unknown[];
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      expectFits("LogEvent", event);
    }
    const failure = await ask("/log?kind=nodes");
    expectFits("Failure", failure);
    expect(failure).toHaveProperty("errors.0.field", "/kind");
  });

  it("how it was", async () => {
    const { links } = (await ask("/topology")) as { links: { id: string }[] };
    expectFits("History", await ask(`/history?of=${links.map(({ id }) => `link:${id}`).join()}&points=30`));
    expectFits("HistoryState", await ask("/history/state?at=0"));
    expectFits("Failure", await ask("/history?of=nobody"));
  });

  it("policies, plans and refusals", async () => {
    expectFits("PolicyPlan", await ask("/policies?dryRun=true", post(paper)));
    expectFits("PolicyStatus", await ask("/policies", post({ ...paper, name: "schemas" })));
    for (const policy of (await ask("/policies")) as unknown[]) {
      expectFits("PolicyStatus", policy);
    }
    expectFits("PolicyPlan", await ask("/policies/schemas/plan"));
    const failure = await ask("/policies", post({ ...paper, name: "other", nodes: ["l1", "l9"] }));
    expectFits("Failure", failure);
    expect(failure).toHaveProperty("errors.0.field", "/nodes/1");
    await fetch(`${url}/srv6/policies/schemas`, { method: "DELETE", headers });
  });

  it("Live-Live flows and plans", async () => {
    const flow = { from: "h12", to: "h32", paths: 2 };
    expectFits("FlowPlan", await ask("/livelive?dryRun=true", post(flow)));
    expectFits("FlowStatus", await ask("/livelive", post({ ...flow, name: "schemas" })));
    for (const stored of (await ask("/livelive")) as unknown[]) {
      expectFits("FlowStatus", stored);
    }
    await fetch(`${url}/srv6/livelive/schemas`, { method: "DELETE", headers });
  });

  it("mobile slices and their sessions", async () => {
    const slice = {
      name: "schemas",
      snssai: { sst: 2, sd: "000001" },
      access: { gateway: "l1", gnbs: ["192.0.2.0/24"] },
      core: { anchor: "l3", upfs: ["198.51.100.1"] },
      match: [{ teid: "0x1000-0x1fff", qfi: [5, 9], dscp: "EF" }],
    };
    const session = {
      id: "phone",
      ue: ["10.60.0.1/32"],
      uplink: { endpoint: "198.51.100.1", teid: "0x1001" },
      downlink: { endpoint: "192.0.2.1", teid: 4098 },
    };
    expectFits("SlicePlan", await ask("/slices?dryRun=true", post(slice)));
    expectFits("SliceStatus", await ask("/slices", post(slice)));
    expectFits("SessionPlan", await ask("/slices/schemas/sessions?dryRun=true", post(session)));
    expectFits("SessionStatus", await ask("/slices/schemas/sessions", post(session)));
    expectFits("SliceStatus", await ask("/slices/schemas"));
    expectFits("SessionStatus", await ask("/slices/schemas/sessions/phone"));
    expectFits("SessionPlan", await ask("/slices/schemas/sessions/phone/plan"));
    for (const path of ["/slices/schemas/sessions/phone", "/slices/schemas"]) {
      await fetch(`${url}/srv6${path}`, { method: "DELETE", headers });
    }
  });

  it("news, of which a policy that comes and goes makes some", async () => {
    const stop = new AbortController();
    const answer = await fetch(`${url}/srv6/events`, { headers, signal: stop.signal });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const heard = listen(answer, ["network", "traffic", "entries", "intents", "log"]);
    await ask("/policies", post({ ...paper, name: "schemas" }));
    await fetch(`${url}/srv6/policies/schemas`, { method: "DELETE", headers });
    for (const [name, events] of await heard) {
      const validate = ajv.compile({ $ref: `openapi.json#/components/schemas/News/properties/${name}` });
      for (const event of events) {
        validate(JSON.parse(event.data));
        expect(validate.errors ?? []).toEqual([]);
      }
    }
    stop.abort();
  });
});

/** Reads until every one of these was received. */
async function listen(answer: Response, names: readonly string[]): Promise<ReadonlyMap<string, ServerEvent[]>> {
  const heard = new Map<string, ServerEvent[]>();
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  while (reader !== undefined && !names.every((name) => heard.has(name))) {
    const { value, done } = await reader.read();
    if (done) {
      break;
    }
    for (const event of parser.push(decoder.decode(value, { stream: true }))) {
      heard.set(event.name, [...(heard.get(event.name) ?? []), event]);
    }
  }
  expect([...heard.keys()]).toEqual(expect.arrayContaining([...names]));
  return heard;
}
