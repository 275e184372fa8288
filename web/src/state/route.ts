// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import { addressOf, routeOf, type Route } from "../model/address";

/** Where the person is. Kept in the address, so that "back" works. */
export const route = signal<Route>(routeOf(location.hash));

addEventListener("hashchange", () => {
  route.value = routeOf(location.hash);
});

export function go(app: string, ...path: readonly string[]): void {
  location.hash = addressOf(app, ...path);
}
