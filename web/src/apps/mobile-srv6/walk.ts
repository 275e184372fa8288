// SPDX-License-Identifier: Apache-2.0
import { consumedOf, type SidFormat } from "../../model/container";
import type { Slice, SliceWay } from "./api";
import { argumentsOf, teidText, type Arguments } from "./segments";
import { strings } from "./strings";

/** A header in front of a UE's packet, for people. */
export interface Header {
  readonly of: "srv6" | "gtp";
  readonly name: string;
  readonly says: string;
}

/** A node of a way, with the headers of a packet that arrives and of the one that leaves, outermost first. */
export interface Step {
  readonly node: string;
  readonly behavior: string;
  readonly arrives: readonly Header[];
  readonly leaves: readonly Header[];
  readonly text: string;
  /** Which segment the destination address is, in travel order, and how many uSIDs of it are gone. */
  readonly segment: number;
  readonly consumed: number;
  /** The bit of the destination address where arguments stand here: uSIDs in front of them go, and they move up. */
  readonly argumentsAt: number | undefined;
}

const WHOLE = "carried whole";

/** GTP-U is left as it is, in IPv6. */
export function isWhole(way: Pick<SliceWay, "packets">): boolean {
  return way.packets === WHOLE;
}

/** The segments of the packet that is walked. */
export function sentOf(way: Pick<SliceWay, "segments" | "sample">): readonly string[] {
  return way.sample?.segments ?? way.segments;
}

/**
 * Which of these has arguments, if any: the last that is the list's. The segment behind it is an address of its own.
 */
export function bearerOf(way: Pick<SliceWay, "segments" | "argumentsAt">): number | undefined {
  return way.argumentsAt === undefined ? undefined : way.segments.length - 1;
}

/** A packet's walk, with GTP in front of it and behind. */
export function stepsOf(slice: Slice, way: SliceWay, format: SidFormat): readonly Step[] {
  const sent = sentOf(way);
  const args = way.sample === undefined ? undefined : argumentsOf(way.sample.arguments);
  const inside = isWhole(way) ? gtpOf(slice, way, undefined) : [];
  const outside = (destination: string, segmentsLeft: number): readonly Header[] => [
    { of: "srv6", name: strings.ipv6, says: strings.to(destination) },
    ...(sent.length > 1 ? [{ of: "srv6" as const, name: strings.srh, says: strings.left(segmentsLeft) }] : []),
    ...inside,
  ];
  const last = way.hops.length - 1;
  return way.hops.map((hop, i): Step => {
    const next = way.hops[i + 1];
    const segment = sent.length - 1 - hop.segmentsLeft;
    const consumed = consumedOf(sent[segment] ?? "::", hop.destinationAddress, format) ?? 0;
    return {
      node: hop.node,
      behavior: i === 0 && !isWhole(way) ? headendOf(slice, way, hop.behavior) : hop.behavior,
      arrives: i === 0 ? entering(slice, way, args) : outside(hop.destinationAddress, hop.segmentsLeft),
      leaves:
        i === last
          ? leaving(slice, way, args)
          : outside(hop.destinationAddressSent ?? next?.destinationAddress ?? "", next?.segmentsLeft ?? 0),
      text: i === 0 ? pushText(slice, way) : i === last ? popText(slice, way, args) : passText(hop),
      segment,
      consumed,
      argumentsAt: segment === bearerOf(way) ? (way.argumentsAt ?? 0) - consumed * format.usidBits : undefined,
    };
  });
}

/** GTP ends there, and the UEs' own packets are looked up. */
function atAnchor(slice: Slice): boolean {
  return slice.core.anchor !== undefined;
}

function isIpv6(slice: Slice): boolean {
  return slice.access.gnbs[0]?.includes(":") === true;
}

/** RFC 9433, 6.3 and 6.7; at an anchor packets to a UE come without GTP. */
function headendOf(slice: Slice, way: SliceWay, told: string): string {
  return fromNetwork(slice, way) ? told : isIpv6(slice) ? "End.M.GTP6.D" : "H.M.GTP4.D";
}

function fromNetwork(slice: Slice, way: Pick<SliceWay, "direction">): boolean {
  return atAnchor(slice) && way.direction === "downlink";
}

function entering(slice: Slice, way: SliceWay, args: Arguments | undefined): readonly Header[] {
  return fromNetwork(slice, way) ? [] : gtpOf(slice, way, args);
}

function leaving(slice: Slice, way: SliceWay, args: Arguments | undefined): readonly Header[] {
  return atAnchor(slice) && way.direction === "uplink" && !isWhole(way) ? [] : gtpOf(slice, way, args);
}

/** TS 29.281: the headers in front of the UE's packet between gNB and UPF. */
function gtpOf(slice: Slice, way: SliceWay, args: Arguments | undefined): readonly Header[] {
  const peer = way.direction === "uplink" ? slice.core.upfs[0] : slice.access.gnbs[0];
  const address = args === undefined ? peer : (args.address ?? peer);
  return [
    { of: "gtp", name: isIpv6(slice) ? strings.ipv6 : strings.ipv4, says: strings.to(address ?? "?") },
    { of: "gtp", name: strings.udp, says: "2152" },
    {
      of: "gtp",
      name: strings.formats.gtp,
      says: args === undefined ? strings.teid : strings.teidOf(teidText(args.teid)),
    },
    ...(slice.container === "never"
      ? []
      : [
          {
            of: "gtp" as const,
            name: strings.pduSessionContainer,
            says: args === undefined ? strings.qfi : flowText(args),
          },
        ]),
  ];
}

export function flowText({ qfi, rqi }: Pick<Arguments, "qfi" | "rqi">): string {
  return strings.flow(qfi, rqi);
}

function pushText(slice: Slice, way: SliceWay): string {
  if (isWhole(way)) {
    return strings.steps.pushWhole(way.encapsulationBytes);
  }
  return fromNetwork(slice, way)
    ? strings.steps.pushFromNetwork(way.encapsulationBytes)
    : strings.steps.push(way.encapsulationBytes, way.gtpBytes);
}

function popText(slice: Slice, way: SliceWay, args: Arguments | undefined): string {
  if (isWhole(way)) {
    return strings.steps.popWhole;
  }
  return atAnchor(slice) && way.direction === "uplink"
    ? strings.steps.popAtAnchor
    : strings.steps.pop(args && `${strings.teidOf(teidText(args.teid))}, ${flowText(args)}`);
}

function passText(hop: SliceWay["hops"][number]): string {
  if (hop.behavior === "forward") {
    return strings.steps.forward;
  }
  return hop.advancesSrh === true ? strings.steps.advance : strings.steps.consume;
}
