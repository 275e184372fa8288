// SPDX-License-Identifier: Apache-2.0

/** The part behind the "#" of the page's address: which app's panel, "" for the first, and which thing in it. */
export interface Route {
  readonly app: string;
  readonly path: readonly string[];
}

/** Reads an address that may have been typed: a word that is no valid encoding is taken as it stands. */
export function routeOf(hash: string): Route {
  const [app = "", ...path] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { app, path: path.filter((part) => part !== "") };
}

/** The address that {@link routeOf} reads so. */
export function addressOf(app: string, ...path: readonly string[]): string {
  return `#/${[app, ...path].map(encodeURIComponent).join("/")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
