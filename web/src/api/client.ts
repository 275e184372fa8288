// SPDX-License-Identifier: Apache-2.0
// The only place that knows the wire. Requests of only one app are typed in its folder (api.ts), by clientOf.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./northbound.gen";
import { strings } from "./strings";

type Schemas = components["schemas"];

export type Topology = Schemas["Topology"];
export type ApiNode = Schemas["Node"];
export type ApiLink = Schemas["Link"];
export type ApiHost = Schemas["Host"];
export type NodeSummary = Schemas["NodeSummary"];
export type NodeDetail = Schemas["NodeDetail"];
export type Entry = Schemas["Entry"];
export type Moment = Schemas["HistoryState"];
export type News = Schemas["News"];
/** A controller of before there were roles says no more than whether its user may write. */
export type Session = Omit<Schemas["Login"], "mayChange" | "roles"> &
  Partial<Pick<Schemas["Login"], "mayChange" | "roles">>;
export type Cluster = Schemas["Cluster"];
export type Member = Schemas["Member"];
export type TrailLine = Schemas["TrailLine"];
export type LogEvent = Schemas["LogEvent"];
export type Problem = Schemas["Problem"];
export type Failure = Schemas["Failure"];
export type Outage = Schemas["Outage"];

/** The controller refused; the problems name field, fault and remedy. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly failure: Partial<Failure>,
  ) {
    super(failure.detail ?? failure.title ?? strings.failed(status));
  }

  get problems(): readonly Problem[] {
    return this.failure.errors ?? [];
  }
}

/** Nobody answered. */
export class Unreachable extends Error {}

/** The controller knows the kind of thing and has none of this name; a controller that is starting knows no kinds yet. */
export function isGone(error: unknown): boolean {
  return error instanceof Refused && error.status === 404 && error.problems.length > 0;
}

/** The object of a change differs from the one that the request names: another user was quicker. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof Refused && error.status === 412;
}

/** The page is at …/ui/, the interface beside it. */
export const base = new URL("../", document.baseURI).href.replace(/\/$/, "");

/** The credentials that every request carries from now on: a header, if a user is logged in. */
let proof: readonly [name: string, value: string] | undefined;

/** With a name and a password; "" without a login. */
export function authorize(user: string, password: string): void {
  proof =
    user === ""
      ? undefined
      : ["Authorization", `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`];
}

const SESSION_HEADER = "X-Sextant-Session";
let sessions = 0;

/**
 * With the session that the controller gave this browser when its user came back from the issuer's page: a cookie that
 * no script reads. It counts with this header only, which no other site's page can have the browser send. The number
 * distinguishes one login's answers from another's.
 */
export function bySession(): void {
  sessions++;
  proof = [SESSION_HEADER, String(sessions)];
}

/** The browser's own credentials are for a session only: else it would ask with a dialog of its own, and remember. */
export function authorized(): { credentials: "omit" | "same-origin"; headers: Record<string, string> } {
  return {
    credentials: proof?.[0] === SESSION_HEADER ? "same-origin" : "omit",
    headers: proof === undefined ? {} : { [proof[0]]: proof[1] },
  };
}

const FORBIDDEN = 403;
const UNAUTHORIZED = 401;

/** The listener for refusals of this user: 401 for everything, 403 for this. */
type DoubtListener = (status: typeof UNAUTHORIZED | typeof FORBIDDEN) => void;
let doubted: DoubtListener = () => undefined;

export function onDoubt(listener: DoubtListener): void {
  doubted = listener;
}

/** The listener for the controller's clock. */
let dated: (date: string | null) => void = () => undefined;

export function onDate(listener: (date: string | null) => void): void {
  dated = listener;
}

/** Notifies the listener if an answer says that the user of the request, who is still the user, may not do it. */
export function heed(response: Response, request: { readonly headers: Headers }): void {
  const { status } = response;
  const same = proof !== undefined && request.headers.get(proof[0]) === proof[1];
  if (same && (status === UNAUTHORIZED || status === FORBIDDEN)) {
    doubted(status);
  }
}

/** Why nothing may be changed now; "" if it may. */
let held: () => string = () => "";

/** From now on, requests that change something are refused here, before the controller, while there is a reason. */
export function holdChanges(why: () => string): void {
  held = why;
}

/** A dry run, or a read by POST, changes nothing. */
function changes({ method, url }: Request): boolean {
  return method !== "GET" && !/[?&]dryRun=true\b|\/(trace|explain)$/.test(url);
}

const withUser: Middleware = {
  onRequest({ request }) {
    const why = changes(request) ? held() : "";
    if (why !== "") {
      throw new Refused(0, { detail: why });
    }
    const { credentials, headers } = authorized();
    for (const [name, value] of Object.entries(headers)) {
      request.headers.set(name, value);
    }
    return new Request(request, { credentials });
  },
  onResponse({ response, request }) {
    heed(response, request);
    dated(response.headers.get("Date"));
  },
};

/** A POST waits up to 20 s for the nodes. */
const PATIENCE_MILLIS = 45_000;

/** As fetch, but not for ever: a controller that hangs is a failure, too. */
async function patient(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MILLIS)]) });
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable(error.message) : error;
  }
}

/** A client for the paths of an OpenAPI document. */
export function clientOf<Paths extends object>() {
  const client = createClient<Paths>({ baseUrl: base, credentials: "omit", fetch: patient });
  client.use(withUser);
  return client;
}

export const northbound = clientOf<paths>();

/** The answer's body. @throws Refused if the controller refuses, Unreachable if there is no answer */
export async function answer<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) {
    throw new Refused(response.status, typeof error === "object" && error !== null ? error : {});
  }
  return data as T;
}
