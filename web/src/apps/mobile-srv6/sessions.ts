// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { answer, isGone } from "../../api/client";
import { ifStill, type Only } from "../../state/only";
import { cutPage, PAGE, type Page } from "./pages";
import { client, type Session, type SessionPlan, type SessionStatus } from "./api";

/** The filter of sessions; "" for all. */
export interface Wanted {
  readonly ue: string;
  readonly endpoint: string;
}

/** @param after the last id of the page before; "" for the first */
export async function pageOf(slice: string, after: string, wanted: Wanted): Promise<Page> {
  const query = {
    limit: String(PAGE + 1),
    ...(after === "" ? {} : { after }),
    ...(wanted.ue === "" ? {} : { ue: wanted.ue }),
    ...(wanted.endpoint === "" ? {} : { endpoint: wanted.endpoint }),
  };
  const found = await answer(client.GET("/slices/{slice}/sessions", { params: { path: { slice }, query } }));
  return cutPage(found);
}

/** One session with the counters of its rows until now. */
export function sessionNow(slice: string, id: string): Promise<SessionStatus> {
  return answer(client.GET("/slices/{slice}/sessions/{id}", { params: { path: { slice, id } } }));
}

export function sessionPlan(slice: string, id: string): Promise<SessionPlan> {
  return answer(client.GET("/slices/{slice}/sessions/{id}/plan", { params: { path: { slice, id } } }));
}

/** The questions of a form about sessions of a slice. */
export function sessionsOf(slice: string) {
  const path = { slice };
  const all = signal<ReadonlyMap<string, SessionStatus>>(new Map());
  return {
    dryRun: (session: Session, signal: AbortSignal): Promise<SessionPlan> =>
      answer(
        client.POST("/slices/{slice}/sessions", { params: { path, query: { dryRun: true } }, body: session, signal }),
      ) as Promise<SessionPlan>,
    submit: (session: Session, headers: Only): Promise<SessionStatus> =>
      answer(
        client.POST("/slices/{slice}/sessions", { params: { path }, body: session, headers }),
      ) as Promise<SessionStatus>,
    said: ({ session }: SessionStatus): Session => session,
    /** The sessions that were in the way: there may be a hundred thousand, of which no page has a list. */
    all,
    look: async (id: string): Promise<void> => {
      const now = await orNothing(sessionNow(slice, id));
      all.value = new Map(now === undefined ? [] : [[id, now]]);
    },
  };
}

/**
 * A handover: the gNB's end of the tunnel is another. Nodes have the new before the old goes.
 *
 * @param etag of the session that the person saw
 */
export function handOver(
  slice: string,
  id: string,
  downlink: Session["downlink"],
  etag: string | undefined,
): Promise<SessionStatus> {
  const params = { path: { slice, id } };
  const body = downlink === undefined ? {} : { downlink };
  return answer(
    client.PATCH("/slices/{slice}/sessions/{id}", { params, body, headers: ifStill(etag) }),
  ) as Promise<SessionStatus>;
}

/** A session that was gone already is removed. */
export async function removeSession(slice: string, id: string, etag: string | undefined): Promise<void> {
  const params = { path: { slice, id } };
  await orNothing(answer(client.DELETE("/slices/{slice}/sessions/{id}", { params, headers: ifStill(etag) })));
}

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isGone(error)) {
      return undefined;
    }
    throw error;
  }
}
