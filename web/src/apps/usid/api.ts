// SPDX-License-Identifier: Apache-2.0
import { clientOf } from "../../api/client";
import type { components, paths } from "./api.gen";

type Schemas = components["schemas"];

export type Policy = Schemas["Policy"];
export type PolicyStatus = Schemas["PolicyStatus"];
export type PolicyPlan = Schemas["PolicyPlan"];
export type Direction = Schemas["Direction"];
export type WatchedPath = Schemas["WatchedPath"];
export type LivenessNews = Schemas["PolicyLivenessNews"];

export const client = clientOf<paths>();
