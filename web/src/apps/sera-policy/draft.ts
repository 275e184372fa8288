// SPDX-License-Identifier: Apache-2.0
import { counted } from "../../model/format";
import type { Imported } from "./api";
import type { Text } from "./firewalls";
import { strings } from "./strings";

/** An import as it is typed. */
export interface Draft {
  readonly node: string;
  readonly format: "ip6tables-save" | "iptables-save" | "nft";
  readonly chain: string;
  readonly name: string;
  readonly partial: "yes" | "no";
  readonly text: string;
}

export const EMPTY: Draft = {
  node: "",
  format: "ip6tables-save",
  chain: "FORWARD",
  name: "",
  partial: "no",
  text: "",
};

/** True if there is enough of it to ask; the controller judges the rest. */
export function complete({ node, text }: Draft): boolean {
  return node !== "" && text.trim() !== "";
}

export function textOf(draft: Draft): Text {
  return { ...draft, partial: draft.partial === "yes" };
}

/** The next step. */
export function hintOf(draft: Draft, plan: Imported | undefined): string {
  if (draft.node === "") {
    return strings.clickNode;
  }
  if (draft.text.trim() === "") {
    return strings.pasteRules;
  }
  if (plan !== undefined && plan.refused.length > 0 && draft.partial === "no") {
    return strings.cannotImport(counted(plan.refused.length, "line"));
  }
  return strings.ready;
}
