// SPDX-License-Identifier: Apache-2.0
// The only place that knows the wire. What only one app asks is typed in its folder (api.ts), by clientOf.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./northbound.gen";

type Schemas = components["schemas"];

export type Topology = Schemas["Topology"];
export type ApiNode = Schemas["Node"];
export type ApiLink = Schemas["Link"];
export type ApiHost = Schemas["Host"];
export type NodeSummary = Schemas["NodeSummary"];
export type NodeDetail = Schemas["NodeDetail"];
export type Entry = Schemas["Entry"];
export type News = Schemas["News"];
export type Session = Schemas["Login"];
export type TrailLine = Schemas["TrailLine"];
export type Problem = Schemas["Problem"];
export type Failure = Schemas["Failure"];

/** The controller said no; it says what, where and what to do. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly failure: Partial<Failure>,
  ) {
    super(failure.detail ?? failure.title ?? `the controller answers ${status}`);
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

/** The page is at …/ui/, the interface beside it. */
export const base = new URL("../", document.baseURI).href.replace(/\/$/, "");

let authorization = "";

/** What every request carries from now on; "" for nobody. */
export function authorize(user: string, password: string): void {
  authorization =
    user === "" ? "" : `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;
}

/** Our own header, and never the browser's: it would ask with a dialog of its own, and remember. */
export function authorized(): { credentials: "omit"; headers: Record<string, string> } {
  return { credentials: "omit", headers: authorization === "" ? {} : { Authorization: authorization } };
}

const FORBIDDEN = 403;
const UNAUTHORIZED = 401;

/** Who wants to know that the controller refuses this user: 401 for everything, 403 for this. */
type DoubtListener = (status: typeof UNAUTHORIZED | typeof FORBIDDEN) => void;
let doubted: DoubtListener = () => undefined;

export function onDoubt(listener: DoubtListener): void {
  doubted = listener;
}

/** Tells if an answer says that the user of the request, who is still the user, may not do it. */
export function heed(response: Response, request: { readonly headers: Headers }): void {
  const { status } = response;
  if (request.headers.get("Authorization") === authorization && (status === UNAUTHORIZED || status === FORBIDDEN)) {
    doubted(status);
  }
}

const withUser: Middleware = {
  onRequest({ request }) {
    if (authorization !== "") {
      request.headers.set("Authorization", authorization);
    }
    return request;
  },
  onResponse({ response, request }) {
    heed(response, request);
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

/** A client of what an OpenAPI document describes. */
export function clientOf<Paths extends object>() {
  const client = createClient<Paths>({ baseUrl: base, credentials: "omit", fetch: patient });
  client.use(withUser);
  return client;
}

export const northbound = clientOf<paths>();

/** The answer's body. @throws Refused if the controller refuses, Unreachable if nobody answers */
export async function answer<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) {
    throw new Refused(response.status, typeof error === "object" && error !== null ? error : {});
  }
  return data as T;
}
