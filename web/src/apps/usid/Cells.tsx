// SPDX-License-Identifier: Apache-2.0
import { cut, type Cell, type SidFormat } from "../../model/container";
import { network } from "../../state/network";
import { localText } from "./text";
import { strings } from "./strings";

interface Props {
  readonly containers: readonly string[];
  readonly format: SidFormat;
  /** Where the packet is: of the containers before, nothing is left; of this one, so many cells are gone or go now. */
  readonly at?: { readonly container: number; readonly consumed: number; readonly takes: number };
}

const HUES = 6;

/** Containers as cells: consumed ones, the one that this node takes, the rest. */
export function Cells({ containers, format, at }: Props) {
  const cuts = containers.map((container) => cut(container, format));
  let place = 0;
  return (
    <div class="containers">
      {cuts.map((container, i) => (
        <figure class={`container ${at === undefined || at.container === i ? "active" : ""}`} key={i}>
          <figcaption>
            {cuts.length > 1 ? strings.containerOf(i + 1, cuts.length) : strings.container}
            <code class="quiet">{container.address}</code>
          </figcaption>
          <ol class="cells" aria-label={strings.containerAddress(i + 1, container.address)}>
            <li class="cell block">
              <code>{container.block.replace(/(.{4})(?=.)/g, "$1:")}</code>
              <small>{strings.block}</small>
            </li>
            {container.cells.map((cell, j) => (
              <li
                class={`cell ${cell.kind} hue${cell.kind === "global" ? place++ % HUES : ""} ${phase(at, i, j, cell)}`}
                key={j}
              >
                <code>{cell.digits}</code>
                <small>{nameOf(cell, container.block)}</small>
                <span class="sr">{spoken(phase(at, i, j, cell))}</span>
              </li>
            ))}
          </ol>
        </figure>
      ))}
    </div>
  );
}

type Phase = "gone" | "now" | "";

function phase(at: Props["at"], container: number, cell: number, { kind }: Cell): Phase {
  if (at === undefined || kind === "empty") {
    return "";
  }
  if (container < at.container || (container === at.container && cell < at.consumed)) {
    return "gone";
  }
  return container === at.container && cell < at.consumed + at.takes ? "now" : "";
}

function spoken(phase: Phase): string {
  return phase === "gone" ? strings.consumed : phase === "now" ? strings.consumedAtThisNode : "";
}

function nameOf(cell: Cell, block: string): string {
  if (cell.kind === "empty") {
    return "–";
  }
  if (cell.kind === "local") {
    return localText(cell.digits);
  }
  for (const node of network.value.nodes.values()) {
    if (node.usid === cell.digits && sameBlock(node.block, block)) {
      return node.name;
    }
  }
  return numberingName(cell);
}

/** "fcbb:bbbb::/32" begins with the digits of the block. */
function sameBlock(prefix: string, digits: string): boolean {
  return (
    prefix === "" ||
    prefix
      .replace(/::.*$/, "")
      .split(":")
      .map((group) => group.padStart(4, "0"))
      .join("")
      .startsWith(digits)
  );
}

/** The paper's /44 numbering: uSID + 1 decapsulates IPv6, + 2 IPv4. */
function numberingName(cell: Cell): string {
  const low = parseInt(cell.digits.slice(-1), 16);
  const base = `${cell.digits.slice(0, -1)}0`;
  for (const node of network.value.nodes.values()) {
    if (node.usid === base && (low === 1 || low === 2)) {
      return `${node.name} v${low === 1 ? 6 : 4}`;
    }
  }
  return "?";
}
