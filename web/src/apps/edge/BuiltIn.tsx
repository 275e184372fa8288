// SPDX-License-Identifier: Apache-2.0
import { useAsked } from "../../components/Loaded";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import { edgeNow } from "./peers";
import { droppedPackets } from "./text";
import { strings } from "./strings";

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
        <span class="title">{strings.srDomainBoundaryFilterBuilt}</span>
        <span class="line">
          {strings.onNodes(counted(nodes.length - unfiltered.length, "node"))}{" "}
          <span class="quiet">{strings.ofNodes(nodes.length)}</span>
        </span>
        <span class="line quiet">
          {strings.droppedExcept(counted(droppedPackets(nodes.flatMap(({ ports }) => ports)), "packet"), unfiltered)}
        </span>
      </a>
    </li>
  );
}
