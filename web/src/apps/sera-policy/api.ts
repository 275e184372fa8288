// SPDX-License-Identifier: Apache-2.0
import { clientOf } from "../../api/client";
import type { components, paths } from "./api.gen";

type Schemas = components["schemas"];

export type Firewall = Schemas["Firewall"];
export type Rule = Schemas["FirewallRule"];
export type FirewallStatus = Schemas["FirewallStatus"];
export type FirewallPlan = Schemas["FirewallPlan"];
export type Finding = Schemas["FirewallFinding"];
export type Imported = Schemas["FirewallImported"];
export type Packet = Schemas["FirewallPacket"];
export type Traced = Schemas["FirewallTraced"];
export type TracedHop = Schemas["FirewallHop"];
export type TracedEnd = Schemas["FirewallEnd"];
export type Hit = Schemas["FirewallHits"];
export type Counters = Schemas["FirewallCounters"];
export type Log = Schemas["FirewallLog"];
export type LogLine = Schemas["FirewallLogLine"];
export type LogNews = Schemas["FirewallLogNews"];
export type CountersNews = Schemas["FirewallCountersNews"];
export type Version = Schemas["FirewallVersion"];

export const client = clientOf<paths>();
