// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../../api/client";
import type { Hops, Slice, SliceMatch } from "./api";
import { strings } from "./strings";

/** A slice that is being made, as its form shows it: lists are typed with commas or spaces between. */
export interface Draft {
  readonly name: string;
  readonly snssai: { readonly sst: string; readonly sd: string };
  readonly dnns: string;
  readonly mode: "" | "traditional" | "enhanced" | "transport";
  readonly access: { readonly gateway: string; readonly gnbs: string };
  readonly core: { readonly is: "gateway" | "anchor"; readonly node: string; readonly upfs: string };
  readonly uplink: string;
  readonly downlink: { readonly is: "symmetric" | "own"; readonly hops: string };
  readonly match: readonly MatchDraft[];
  readonly default: "no" | "yes";
  readonly container: "always" | "nonzero" | "never";
  readonly unrepresentable: "carry" | "discard";
  readonly sequenceNumbers: "keep" | "drop";
}

export interface MatchDraft {
  readonly teid: string;
  readonly qfi: string;
  readonly ue: string;
  readonly gnb: string;
  readonly dscp: string;
}

export const EMPTY: Draft = {
  name: "",
  snssai: { sst: "", sd: "" },
  dnns: "",
  mode: "",
  access: { gateway: "", gnbs: "" },
  core: { is: "gateway", node: "", upfs: "" },
  uplink: "",
  downlink: { is: "symmetric", hops: "" },
  match: [],
  default: "no",
  container: "always",
  unrepresentable: "carry",
  sequenceNumbers: "keep",
};

export const NO_MATCH: MatchDraft = { teid: "", qfi: "", ue: "", gnb: "", dscp: "" };

/** Words that are typed with commas or spaces between. */
export function words(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** True if there is enough of it to ask for its plan. */
export function complete({ name, access, core }: Draft): boolean {
  return [name, access.gateway, access.gnbs, core.node, core.upfs].every((field) => field !== "");
}

/** The next step for a draft. */
export function hintOf({ name, access, core }: Draft): string {
  if (access.gateway === "") {
    return strings.clickAccessGateway;
  }
  if (core.node === "") {
    return strings.clickCoreGateway;
  }
  const lacks = [
    ...(name === "" ? [strings.aName] : []),
    ...(access.gnbs === "" ? [strings.thePrefixes] : []),
    ...(core.upfs === "" ? [strings.theUpfs] : []),
  ];
  return lacks.length > 0 ? strings.enter(lacks) : strings.sliceReady;
}

/** A click on a node: the gateway at the gNBs, the one at the UPFs, then the way up; clicked again, it is taken out. */
export function withNode(draft: Draft, node: string): Draft {
  const { access, core } = draft;
  if (access.gateway === node) {
    return { ...draft, access: { ...access, gateway: "" } };
  }
  if (core.node === node) {
    return { ...draft, core: { ...core, node: "" } };
  }
  if (access.gateway === "") {
    return { ...draft, access: { ...access, gateway: node } };
  }
  if (core.node === "") {
    return { ...draft, core: { ...core, node } };
  }
  const hops = words(draft.uplink);
  const without = hops.filter((hop) => nodeOf(hop) !== node);
  return { ...draft, uplink: (without.length < hops.length ? without : [...hops, node]).join(" ") };
}

/** The gateways and the nodes between them, in the order of a packet to the UPF. */
export function stopsOf({ access, uplink, core }: Draft): readonly string[] {
  return [access.gateway, ...words(uplink).map(nodeOf), core.node].filter((name) => name !== "");
}

/** "(p7)" is p7 by any way. */
function nodeOf(hop: string): string {
  return hop.replace(/^\((.*)\)$/, "$1");
}

function hopsOf(text: string): Hops {
  return words(text).map((hop) => (nodeOf(hop) === hop ? hop : { node: nodeOf(hop), loose: true }));
}

/** The body to post. Text that is no number stays as it is: the controller returns the problem. */
export function sliceOf(draft: Draft): Slice {
  const { snssai, access, core, downlink } = draft;
  const dnns = words(draft.dnns);
  return {
    name: draft.name,
    ...(snssai.sst === "" && snssai.sd === ""
      ? {}
      : {
          snssai: {
            ...(snssai.sst === "" ? {} : { sst: numberOf(snssai.sst) }),
            ...(snssai.sd === "" ? {} : { sd: snssai.sd }),
          } as NonNullable<Slice["snssai"]>,
        }),
    ...(dnns.length === 0 ? {} : { dnns: [...dnns] }),
    ...(draft.mode === "" ? {} : { mode: draft.mode }),
    access: { gateway: access.gateway, gnbs: [...words(access.gnbs)] },
    core: { [core.is]: core.node, upfs: [...words(core.upfs)] },
    ...(draft.uplink === "" ? {} : { uplink: { hops: hopsOf(draft.uplink) } }),
    downlink: downlink.is === "symmetric" ? "symmetric" : { hops: hopsOf(downlink.hops) },
    ...(draft.match.length === 0 ? {} : { match: draft.match.map(matchOf) }),
    default: draft.default === "yes",
    container: draft.container,
    unrepresentable: draft.unrepresentable,
    sequenceNumbers: draft.sequenceNumbers,
  };
}

function matchOf({ qfi, ...texts }: MatchDraft): SliceMatch {
  const said = Object.entries(texts).filter(([, text]) => text !== "");
  return {
    ...Object.fromEntries(said),
    ...(qfi === "" ? {} : { qfi: words(qfi).map(numberOf) }),
  };
}

/** A number, or the text typed in its place. */
export function numberOf(text: string): number {
  return (/^\d+$/.test(text) ? Number(text) : text) as number;
}

/** The problems of a field within a field, such as "/access/gnbs/0" of "/access" and "gnbs". */
export function within(problems: readonly Problem[], ...path: readonly string[]): readonly Problem[] {
  const pointer = `/${path.join("/")}`;
  return problems.filter(({ field }) => field === pointer || field.startsWith(`${pointer}/`));
}

/** The problems about no part that the form has a field for. */
export function besides(problems: readonly Problem[], field: string, parts: readonly string[]): readonly Problem[] {
  return problems.filter((problem) => !parts.some((part) => within([problem], field, part).length > 0));
}
