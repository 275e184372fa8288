// SPDX-License-Identifier: Apache-2.0
import { clientOf } from "../../api/client";
import type { components, paths } from "./api.gen";

type Schemas = components["schemas"];

export type Slice = Schemas["Slice"];
export type SliceStatus = Schemas["SliceStatus"];
export type SlicePlan = Schemas["SlicePlan"];
export type SliceWay = Schemas["SliceWay"];
export type SliceMatch = NonNullable<Slice["match"]>[number];
export type Hops = NonNullable<Slice["uplink"]>["hops"];
export type Session = Schemas["Session"];
export type SessionStatus = Schemas["SessionStatus"];
export type SessionPlan = Schemas["SessionPlan"];
export type Tunnel = Schemas["Tunnel"];
export type RowCounters = Schemas["RowCounters"];

export const client = clientOf<paths>();
