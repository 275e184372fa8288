// SPDX-License-Identifier: Apache-2.0
import { answer } from "../../api/client";
import { Intents } from "../../state/intents";
import { client, type Edge, type NodeEdge, type Peer, type PeerPlan, type PeerStatus } from "./api";

export const peers = new Intents<Peer, PeerPlan, PeerStatus>("peer", {
  all: () => answer(client.GET("/edge/peers")),
  one: (id) => answer(client.GET("/edge/peers/{id}", { params: { path: { id } } })),
  dryRun: (peer, signal) =>
    answer(
      client.POST("/edge/peers", { params: { query: { dryRun: true } }, body: peer, signal }),
    ) as Promise<PeerPlan>,
  submit: (peer, headers) => answer(client.POST("/edge/peers", { body: peer, headers })) as Promise<PeerStatus>,
  remove: (id, headers) => answer(client.DELETE("/edge/peers/{id}", { params: { path: { id } }, headers })),
  said: (status) => status.peer,
});

/** The ports of all nodes, with the packets dropped there until now. */
export function edgeNow(): Promise<Edge> {
  return answer(client.GET("/edge"));
}

export function nodeEdgeNow(node: string): Promise<NodeEdge> {
  return answer(client.GET("/edge/nodes/{node}", { params: { path: { node } } }));
}
