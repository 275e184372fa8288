// SPDX-License-Identifier: Apache-2.0
import type { NodeKind } from "../model/network";
import { network } from "../state/network";
import { iconOf } from "./icons";

const NAMES: Record<NodeKind, string> = { linux: "Linux", p4: "P4", vpp: "VPP" };

/** What the shapes mean, of those that are on the map. */
export function Legend() {
  const kinds = new Set([...network.value.nodes.values()].map((node) => node.kind));
  return (
    <ul class="legend" aria-label="Legend">
      {(Object.keys(NAMES) as NodeKind[])
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <img src={iconOf(kind, "#6b7c85")} alt="" width="18" height="18" /> {NAMES[kind]}
          </li>
        ))}
      <li>
        <i class="swatch edge" /> edge
      </li>
      <li>
        <i class="swatch core" /> core
      </li>
      <li>
        <i class="swatch host" /> host
      </li>
    </ul>
  );
}
