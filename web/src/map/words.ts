// SPDX-License-Identifier: Apache-2.0
import { counted } from "../model/format";
import type { MapLink, NetworkView } from "../model/network";
import type { Scene } from "./scene";
import { strings } from "./strings";

/** The troubles of a thing on the canvas, as they stand under its name; "" for none. */
export function troublesOf(id: string, view: NetworkView, scene: Scene): string {
  const name = id.slice(2);
  const lost = (node: string): boolean => view.nodes.get(node)?.state === "LOST";
  if (id.startsWith("n:")) {
    return lost(name) ? strings.lost : "";
  }
  if (id.startsWith("c:")) {
    const count = scene.members.get(id)?.filter(lost).length ?? 0;
    return count === 0 ? "" : strings.countLost(count);
  }
  if (id.startsWith("h:")) {
    return view.hosts.get(name)?.up === false ? strings.down : "";
  }
  return linksOf(id, view, scene).some((link) => !link.up) ? strings.down : "";
}

/** The links that a line stands for, as they are now. */
function linksOf(id: string, view: NetworkView, scene: Scene): readonly MapLink[] {
  return (scene.links.get(id) ?? []).flatMap((link) => view.links.get(link.id) ?? []);
}

/** A thing in words, with the meaning of its colour. */
export function spokenOf(id: string, view: NetworkView, scene: Scene): string {
  const name = id.slice(2);
  const trouble = troublesOf(id, view, scene);
  const after = trouble === "" ? "" : `, ${trouble}`;
  if (id.startsWith("h:")) {
    return strings.spoken.host(name, view.hosts.get(name)?.at.node) + after;
  }
  if (id.startsWith("c:")) {
    const members = scene.members.get(id) ?? [];
    return `${strings.spoken.cluster(counted(members.length, "node"), members[0] ?? "")}${after}; ${strings.spoken.opens}`;
  }
  if (id.startsWith("g:")) {
    return `${strings.spoken.gathered(counted(scene.links.get(id)?.length ?? 0, "link"))}${after}; ${strings.spoken.opens}`;
  }
  const link = view.links.get(name);
  return id.startsWith("l:")
    ? `${strings.spoken.link(link?.a.node ?? "", link?.b.node ?? "")}${after}`
    : strings.spoken.node(name) + after;
}
