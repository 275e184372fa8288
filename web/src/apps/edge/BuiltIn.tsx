// SPDX-License-Identifier: Apache-2.0
import { useAsked } from "../../components/Loaded";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import { edgeNow } from "./peers";
import { droppedPackets } from "./text";

/** The filter that every node has, in the list of firewalls. */
export function BuiltIn() {
  const edge = useAsked(edgeNow, []);
  if (edge.is !== "here" || edge.value.nodes.length === 0) {
    return null;
  }
  const { nodes, unfiltered } = edge.value;
  return (
    <li>
      <a class="card" href={addressOf("edge")}>
        <span class="title">edge filter (built in)</span>
        <span class="line">
          on {counted(nodes.length - unfiltered.length, "node")} <span class="quiet">of {nodes.length}</span>
        </span>
        <span class="line quiet">
          {counted(droppedPackets(nodes.flatMap(({ ports }) => ports)), "packet")} dropped
          {unfiltered.length > 0 && `; not on ${unfiltered.join(", ")}`}
        </span>
      </a>
    </li>
  );
}
