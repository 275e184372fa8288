// SPDX-License-Identifier: Apache-2.0
import { clientOf } from "../../api/client";
import type { components, paths } from "./api.gen";

type Schemas = components["schemas"];

export type Peer = Schemas["EdgePeer"];
export type PeerPlan = Schemas["EdgePeerPlan"];
export type PeerStatus = Schemas["EdgePeerStatus"];
export type Edge = Schemas["Edge"];
export type NodeEdge = Schemas["NodeEdge"];
export type EdgePort = Schemas["EdgePort"];

export const client = clientOf<paths>();
