// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from "@preact/signals";
import { session } from "./session";

/** Forms that were left half made, by their address; in the memory of this page alone, and of this user alone. */
export const drafts = signal<ReadonlyMap<string, object>>(new Map());

/** @param draft undefined forgets it */
export function keepDraft(address: string, draft: object | undefined): void {
  const all = new Map(drafts.peek());
  all.delete(address);
  drafts.value = draft === undefined ? all : all.set(address, draft);
}

effect(() => {
  if (session.value === undefined) {
    drafts.value = new Map();
  }
});
