// SPDX-License-Identifier: Apache-2.0
import { answer, isGone } from "../../api/client";
import { cutPage, PAGE, type Page } from "./pages";
import { client, type Session, type SessionPlan, type SessionStatus } from "./api";

/** By whom sessions are looked for; "" for all. */
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

/** One session with what its rows counted until now. */
export function sessionNow(slice: string, id: string): Promise<SessionStatus> {
  return answer(client.GET("/slices/{slice}/sessions/{id}", { params: { path: { slice, id } } }));
}

export function sessionPlan(slice: string, id: string): Promise<SessionPlan> {
  return answer(client.GET("/slices/{slice}/sessions/{id}/plan", { params: { path: { slice, id } } }));
}

/** What a form asks about sessions of a slice. */
export function sessionsOf(slice: string) {
  const path = { slice };
  return {
    dryRun: (session: Session, signal: AbortSignal): Promise<SessionPlan> =>
      answer(
        client.POST("/slices/{slice}/sessions", { params: { path, query: { dryRun: true } }, body: session, signal }),
      ) as Promise<SessionPlan>,
    submit: (session: Session): Promise<SessionStatus> =>
      answer(client.POST("/slices/{slice}/sessions", { params: { path }, body: session })) as Promise<SessionStatus>,
  };
}

/** A handover: the gNB's end of the tunnel is another. Nodes have the new before the old goes. */
export function handOver(slice: string, id: string, downlink: Session["downlink"]): Promise<SessionStatus> {
  return answer(client.PATCH("/slices/{slice}/sessions/{id}", { params: { path: { slice, id } }, body: { downlink } }));
}

/** What was gone already is removed. */
export async function removeSession(slice: string, id: string): Promise<void> {
  try {
    await answer(client.DELETE("/slices/{slice}/sessions/{id}", { params: { path: { slice, id } } }));
  } catch (error) {
    if (!isGone(error)) {
      throw error;
    }
  }
}
