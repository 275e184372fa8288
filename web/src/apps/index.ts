// SPDX-License-Identifier: Apache-2.0
import type { App } from "./app";
import { livelive } from "./livelive";
import { networkApp } from "./network";
import { usidApp } from "./usid";

/** In the order of the tabs. */
export const apps: readonly App[] = [usidApp, livelive, networkApp];
