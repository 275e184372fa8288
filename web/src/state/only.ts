// SPDX-License-Identifier: Apache-2.0

/** The condition on an intent for a change of it to be made: headers of a conditional request (RFC 9110, 13.1). */
export type Only = Readonly<Record<string, string>>;

/** There is none of this name yet. */
export const IF_NEW: Only = { "If-None-Match": "*" };

/** It still has this entity tag; whatever it is, where there is none. */
export function ifStill(etag: string | undefined): Only {
  return etag === undefined ? {} : { "If-Match": etag };
}
