// SPDX-License-Identifier: Apache-2.0
import type { Cluster, Member } from "../../api/client";
import { agoText, clockText } from "../../model/clock";
import { counted } from "../../model/format";

/** What of a cluster is not well, in a few words. */
export function troublesOf({ members, unattended }: Cluster): readonly string[] {
  const lost = members.filter(({ state }) => state === "LOST").length;
  return [
    ...(lost > 0 ? [`${counted(lost, "member")} of the cluster lost`] : []),
    ...(unattended.length > 0 ? [`nobody acts for ${counted(unattended.length, "node")}`] : []),
  ];
}

/** The id of the member that acts for a node; undefined if nobody does. */
export function leaderOf({ members }: Cluster, node: string): string | undefined {
  return members.find(({ nodes }) => nodes.includes(node))?.id;
}

/** Since when it is what it is: "since 06:43, 3 min ago". */
export function sinceText({ since }: Pick<Member, "since">, now: number): string {
  return since === undefined ? "" : `since ${clockText(since, now)}, ${agoText(since, now)}`;
}

/** What a member does, in a line. */
export function shareText({ id, count }: Member, { settles }: Cluster): string {
  const nodes = `acts for ${count === 0 ? "no node" : counted(count, "node")}`;
  return id === settles ? `${nodes} and for what belongs to none` : nodes;
}
