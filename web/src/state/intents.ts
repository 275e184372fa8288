// SPDX-License-Identifier: Apache-2.0
import { Collection, type Questions, type Thing } from "./collection";

/** The requests that an app's interface answers about one kind of intents. */
export interface Requests<Intent, Plan, Status> extends Questions<Status> {
  /** What submitting would install; changes nothing. */
  dryRun(intent: Intent, stop: AbortSignal): Promise<Plan>;
  submit(intent: Intent): Promise<Status>;
  remove(id: string): Promise<unknown>;
}

/** A collection that a person may change; what a change came to is in it when the change is done. */
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

  async submit(intent: Intent): Promise<Status> {
    const stored = await this.requests.submit(intent);
    await this.look(stored.id);
    return stored;
  }

  remove(id: string): Promise<void> {
    return this.removed(id, this.requests.remove(id));
  }
}
