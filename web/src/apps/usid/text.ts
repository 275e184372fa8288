// SPDX-License-Identifier: Apache-2.0
import type { Step } from "../../model/walk";
import type { Policy, PolicyStatus } from "./api";

/** Which traffic a policy is for. */
export function routeText(policy: Policy): string {
  if (policy.from !== undefined) {
    return `${policy.from} ${policy.symmetry === "one-way" ? "→" : "⇄"} ${policy.to ?? ""}`;
  }
  return `${policy.headend ?? ""} → ${policy.steering?.map(steeringText).join(", ") ?? "its binding SID"}`;
}

/** A destination, or a flow. */
function steeringText(one: NonNullable<Policy["steering"]>[number]): string {
  if (typeof one === "string") {
    return one;
  }
  const { source, sourcePort, destination, destinationPort, protocol, dscp } = one;
  return [
    protocol === undefined ? "" : String(protocol),
    source === undefined ? "" : `from ${source}`,
    sourcePort === undefined ? "" : `port ${sourcePort}`,
    destination === undefined ? "" : `to ${destination}`,
    destinationPort === undefined ? "" : `port ${destinationPort}`,
    dscp === undefined ? "" : `DSCP ${dscp}`,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/**
 * The other properties of a policy of candidate paths: its color, its binding SID, its fallback without a valid path.
 */
export function termsText({
  policy,
  bindingSid,
  fallback,
}: Pick<PolicyStatus, "policy" | "bindingSid" | "fallback">): string {
  const { color, priority, whenInvalid, liveness } = policy;
  return [
    color === undefined ? "" : `color ${color}`,
    priority === undefined ? "" : `priority ${priority}`,
    bindingSid === undefined ? "" : `binding SID ${bindingSid}`,
    whenInvalid === undefined || fallback !== undefined ? "" : `${withoutPath[whenInvalid]} when no path is valid`,
    liveness === undefined ? "" : `paths are watched every ${liveness.intervalMillis ?? 300} ms`,
    fallback === undefined ? "" : `no path is valid: ${fallbackText[fallback]}`,
  ]
    .filter((text) => text !== "")
    .join(", ");
}

const withoutPath = { underlay: "follows the underlay", drop: "drops", keep: "keeps its last path" };

const fallbackText = { drop: "dropped", keep: "kept on its last path" };

/** The path it names. */
export function viaText(policy: Policy): string {
  if (policy.nodes !== undefined) {
    return `via ${policy.nodes.join(" ")}`;
  }
  if (policy.candidatePaths !== undefined) {
    const count = policy.candidatePaths.length;
    return `${count} candidate ${count === 1 ? "path" : "paths"} to ${policy.endpoint ?? ""}`;
  }
  if (policy.segmentLists !== undefined) {
    return `${policy.segmentLists.length} weighted paths`;
  }
  return `via ${(policy.hops ?? []).map(hopText).join(" ")}`;
}

/** The forms of a hop (docs/reference/policies.md); one of the names is there. */
interface Hop {
  readonly node: string;
  readonly link: string;
  readonly sid: string;
  readonly usids: readonly string[];
  readonly firewall: string;
  readonly policy: string;
  readonly loose: boolean;
}

function hopText(hop: unknown): string {
  if (typeof hop === "string") {
    return hop;
  }
  const { node, link, sid, usids, firewall, policy, loose } = hop as Partial<Hop>;
  const what = node ?? link ?? sid ?? usids?.join(":") ?? firewall ?? policy ?? "?";
  return loose === true ? `(${what})` : what;
}

/** A node's action on the packet, in one sentence. */
export function actionText(step: Step, containers: number): string {
  switch (step.action) {
    case "encapsulate":
      return containers > 1
        ? `Puts an IPv6 header and a routing header in front: the first container is the destination, ${containers - 1} more ${containers === 2 ? "waits" : "wait"} in the SRH.`
        : "Puts an IPv6 header in front: one container is enough, so there is no SRH.";
    case "consume":
      return step.takes === 2
        ? "Takes its uSID and the one of its link, moves the rest up, and sends over that link."
        : "Takes its uSID, moves the rest up, and forwards.";
    case "advance":
      return "Takes the last uSID of this container; Segments Left falls and the next container becomes the destination.";
    case "forward":
      return "Only forwards: this destination is of another node.";
    case "decapsulate":
      return "Takes the outer headers off and delivers the packet as it was sent.";
  }
}

/** The meaning of a local uSID (docs/ARCHITECTURE.md, SIDs of a node). */
export function localText(digits: string): string {
  const value = parseInt(digits, 16);
  if (digits === "f00d") {
    return "uDT6";
  }
  if (digits === "f004") {
    return "uDT4";
  }
  if (value >= 0xe001 && value <= 0xe1fe) {
    return `port ${value - 0xe000}`;
  }
  if (value >= 0xfe00 && value <= 0xfeff) {
    return `uDT${value % 2 === 0 ? 6 : 4} vrf ${(value - 0xfe00) >> 1}`;
  }
  return "local";
}

const VERDICTS: Readonly<Record<string, string>> = {
  drop: "drops",
  goNext: "lets through",
  skipNext: "leads past the next function",
  goLast: "leads to the last segment",
  evalArgs: "does what the arguments say",
};

/** A firewall's verdict on packets; a verdict of a later controller by its own name. */
export function verdictText(verdict: string): string {
  return VERDICTS[verdict] ?? verdict;
}
