// SPDX-License-Identifier: Apache-2.0
import { counted } from "../model/format";
import type { MapLink, NetworkView } from "../model/network";
import type { Scene } from "./scene";

/** The troubles of a thing on the canvas, as they stand under its name; "" for none. */
export function troublesOf(id: string, view: NetworkView, scene: Scene): string {
  const name = id.slice(2);
  const lost = (node: string): boolean => view.nodes.get(node)?.state === "LOST";
  if (id.startsWith("n:")) {
    return lost(name) ? "lost" : "";
  }
  if (id.startsWith("c:")) {
    const count = scene.members.get(id)?.filter(lost).length ?? 0;
    return count === 0 ? "" : `${count} lost`;
  }
  if (id.startsWith("h:")) {
    return view.hosts.get(name)?.up === false ? "down" : "";
  }
  return linksOf(id, view, scene).some((link) => !link.up) ? "down" : "";
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
    return `host ${name} at ${view.hosts.get(name)?.at.node ?? "no node"}${after}`;
  }
  if (id.startsWith("c:")) {
    const members = scene.members.get(id) ?? [];
    return `cluster of ${counted(members.length, "node")}, ${members[0] ?? ""} and others${after}; Enter opens it`;
  }
  if (id.startsWith("g:")) {
    return `${counted(scene.links.get(id)?.length ?? 0, "link")} of a cluster${after}; Enter opens it`;
  }
  const link = view.links.get(name);
  return id.startsWith("l:") ? `link ${link?.a.node ?? ""} to ${link?.b.node ?? ""}${after}` : `node ${name}${after}`;
}
