// SPDX-License-Identifier: Apache-2.0
import type { Step } from "../../model/walk";
import type { Policy, PolicyStatus } from "./api";
import { strings } from "./strings";
import { counted } from "../../model/format";

/** Which traffic a policy is for. */
export function routeText(policy: Policy): string {
  if (policy.from !== undefined) {
    return `${policy.from} ${policy.symmetry === "one-way" ? "→" : "⇄"} ${policy.to ?? ""}`;
  }
  return `${policy.headend ?? ""} → ${policy.steering?.map(steeringText).join(", ") ?? strings.bindingSidOnly}`;
}

/** A destination, or a flow. */
function steeringText(one: NonNullable<Policy["steering"]>[number]): string {
  if (typeof one === "string") {
    return one;
  }
  const { source, sourcePort, destination, destinationPort, protocol, dscp } = one;
  return [
    protocol === undefined ? "" : String(protocol),
    source === undefined ? "" : strings.steering.source(source),
    sourcePort === undefined ? "" : strings.steering.port(sourcePort),
    destination === undefined ? "" : strings.steering.destination(destination),
    destinationPort === undefined ? "" : strings.steering.port(destinationPort),
    dscp === undefined ? "" : strings.steering.dscp(dscp),
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
    color === undefined ? "" : strings.terms.color(color),
    priority === undefined ? "" : strings.terms.priority(priority),
    bindingSid === undefined ? "" : strings.terms.bindingSid(bindingSid),
    whenInvalid === undefined || fallback !== undefined ? "" : strings.whenInvalid[whenInvalid],
    liveness === undefined ? "" : strings.terms.liveness(liveness.intervalMillis),
    fallback === undefined ? "" : strings.fallback[fallback],
  ]
    .filter((text) => text !== "")
    .join(", ");
}

/** The path it names. */
export function viaText(policy: Policy): string {
  if (policy.nodes !== undefined) {
    return strings.via(policy.nodes.join(" "));
  }
  if (policy.candidatePaths !== undefined) {
    return strings.candidates(counted(policy.candidatePaths.length, strings.candidatePath), policy.endpoint ?? "");
  }
  if (policy.segmentLists !== undefined) {
    return strings.weightedPaths(policy.segmentLists.length);
  }
  return strings.via((policy.hops ?? []).map(hopText).join(" "));
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
      return containers > 1 ? strings.steps.encapsulate(containers - 1) : strings.steps.encapsulateNoSrh;
    case "consume":
      return step.takes === 2 ? strings.steps.consumeWithLink : strings.steps.consume;
    case "advance":
      return strings.steps.advance;
    case "forward":
      return strings.steps.forward;
    case "decapsulate":
      return strings.steps.decapsulate;
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
    return strings.localPort(value - 0xe000);
  }
  if (value >= 0xfe00 && value <= 0xfeff) {
    return `uDT${value % 2 === 0 ? 6 : 4} vrf ${(value - 0xfe00) >> 1}`;
  }
  return strings.local;
}

/** A firewall's verdict on packets; a verdict of a later controller by its own name. */
export function verdictText(verdict: string): string {
  return strings.verdicts[verdict] ?? verdict;
}
