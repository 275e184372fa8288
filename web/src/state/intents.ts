// SPDX-License-Identifier: Apache-2.0
import { isOvertaken } from "../api/client";
import { Collection, type Questions, type Thing } from "./collection";
import { ifStill, type Only } from "./only";

/** The requests that an app's interface answers about one kind of intents. */
export interface Requests<Intent, Plan, Status> extends Questions<Status> {
  /** The plan that submitting would install; changes nothing. */
  dryRun(intent: Intent, stop: AbortSignal): Promise<Plan>;
  submit(intent: Intent, only: Only): Promise<Status>;
  remove(id: string, only: Only): Promise<unknown>;
  /** The intent as requested, without its result. */
  said(status: Status): Intent;
}

/** A collection that a person may change; the result of a change is in it when the change is done. */
export class Intents<Intent, Plan, Status extends Thing> extends Collection<Status> {
  constructor(
    kind: string,
    private readonly requests: Requests<Intent, Plan, Status>,
  ) {
    super(kind, requests);
  }

  dryRun(intent: Intent, stop: AbortSignal): Promise<Plan> {
    return this.requests.dryRun(intent, stop);
  }

  said(status: Status): Intent {
    return this.requests.said(status);
  }

  async submit(intent: Intent, only: Only = {}): Promise<Status> {
    const stored = await this.requests.submit(intent, only);
    await this.look(stored.id);
    return stored;
  }

  /**
   * @param etag of the state that the person saw with 412 if it is something else now, which is in the collection then
   * @throws Refused with 412 if it is something else now, which is in the collection then
   */
  async remove(id: string, etag: string | undefined): Promise<void> {
    try {
      await this.removed(id, this.requests.remove(id, ifStill(etag)));
    } catch (error) {
      if (isOvertaken(error)) {
        await this.look(id);
      }
      throw error;
    }
  }
}
