// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";

/** Where the person is: which app's panel, and which thing in it. Kept in the address, so that "back" works. */
export interface Route {
  readonly app: string;
  readonly path: readonly string[];
}

export const route = signal<Route>(parse());

function parse(): Route {
  const [app = "", ...path] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return { app: app === "" ? "policies" : app, path: path.filter((part) => part !== "") };
}

addEventListener("hashchange", () => {
  route.value = parse();
});

export function addressOf(app: string, ...path: readonly string[]): string {
  return `#/${[app, ...path].map(encodeURIComponent).join("/")}`;
}

export function go(app: string, ...path: readonly string[]): void {
  location.hash = addressOf(app, ...path);
}
