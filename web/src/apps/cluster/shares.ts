// SPDX-License-Identifier: Apache-2.0
import type { Cluster, Member } from "../../api/client";
import { agoText, clockText } from "../../model/clock";
import { counted } from "../../model/format";
import { strings } from "./strings";

/** The troubles of a cluster, in a few words. */
export function troublesOf({ members, unattended }: Cluster): readonly string[] {
  const lost = members.filter(({ state }) => state === "LOST").length;
  return [
    ...(lost > 0 ? [strings.membersLost(counted(lost, "member"))] : []),
    ...(unattended.length > 0 ? [strings.nodesUnassigned(counted(unattended.length, "node"))] : []),
  ];
}

/** The compiler version, in a sentence; "" while all members can compile the same, and this controller compiles its newest. */
export function compilerText({ compiler }: Partial<Pick<Cluster, "compiler">>): string {
  if (compiler === undefined) {
    return ""; // a controller of a release without it answers, as during a rolling upgrade
  }
  const { inForce, own, standsAside, heldBackBy } = compiler;
  if (standsAside !== undefined) {
    return strings.writesNothing(standsAside);
  }
  if (heldBackBy.length > 0) {
    return strings.heldBack(inForce, heldBackBy);
  }
  return inForce === own.newest ? "" : strings.olderVersion(inForce, own.newest);
}

/** The id of the member that acts for a node; undefined if there is none. */
export function leaderOf({ members }: Cluster, node: string): string | undefined {
  return members.find(({ nodes }) => nodes.includes(node))?.id;
}

/** The time since its last change: "since 06:43, 3 min ago". */
export function sinceText({ since }: Pick<Member, "since">, now: number): string {
  return since === undefined ? "" : strings.since(clockText(since, now), agoText(since, now));
}

/** The work of a member, in a line. */
export function shareText({ id, count }: Member, { settles }: Cluster): string {
  const nodes = strings.programsNodes(count === 0 ? strings.noNode : counted(count, "node"));
  return id === settles ? strings.andClusterTasks(nodes) : nodes;
}
