// SPDX-License-Identifier: Apache-2.0
import { clientOf } from "../../api/client";
import type { components, paths } from "./api.gen";

type Schemas = components["schemas"];

export type Flow = Schemas["Flow"];
export type FlowPlan = Schemas["FlowPlan"];
export type FlowStatus = Schemas["FlowStatus"];
export type FlowDirection = Schemas["FlowDirection"];

export const client = clientOf<paths>();
