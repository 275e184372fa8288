// SPDX-License-Identifier: Apache-2.0
// The only place that knows the wire: everything else uses the types and functions of this folder.
import createClient, { type Middleware } from "openapi-fetch";
import type { components as LiveLiveComponents, paths as LiveLivePaths } from "./livelive.gen";
import type { components as NorthboundComponents, paths as NorthboundPaths } from "./northbound.gen";
import type { components as UsidComponents, paths as UsidPaths } from "./usid.gen";

type Northbound = NorthboundComponents["schemas"];
type Usid = UsidComponents["schemas"];
type LiveLive = LiveLiveComponents["schemas"];

export type Topology = Northbound["Topology"];
export type ApiNode = Northbound["Node"];
export type ApiLink = Northbound["Link"];
export type ApiHost = Northbound["Host"];
export type NodeSummary = Northbound["NodeSummary"];
export type NodeDetail = Northbound["NodeDetail"];
export type Entry = Northbound["Entry"];
export type News = Northbound["News"];
export type Session = Northbound["Session"];
export type Policy = Usid["Policy"];
export type PolicyStatus = Usid["PolicyStatus"];
export type PolicyState = Usid["PolicyState"];
export type PolicyPlan = Usid["PolicyPlan"];
export type Direction = Usid["Direction"];
export type Flow = LiveLive["Flow"];
export type FlowPlan = LiveLive["FlowPlan"];
export type FlowStatus = LiveLive["FlowStatus"];
export type FlowDirection = LiveLive["FlowDirection"];
export type Problem = Usid["Problem"];
export type Failure = Usid["Failure"];

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

const options = { baseUrl: base, credentials: "omit" as const, fetch: patient };
export const northbound = createClient<NorthboundPaths>(options);
export const usid = createClient<UsidPaths>(options);
export const livelive = createClient<LiveLivePaths>(options);
[northbound, usid, livelive].forEach((client) => client.use(withUser));

/** The answer's body. @throws Refused if the controller refuses, Unreachable if nobody answers */
export async function answer<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) {
    throw new Refused(response.status, typeof error === "object" && error !== null ? error : {});
  }
  return data as T;
}
