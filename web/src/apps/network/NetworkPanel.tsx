// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "preact/hooks";
import { NOTHING, picture } from "../../state/picture";
import { route } from "../../state/route";
import { HostDetail } from "./HostDetail";
import { LinkDetail } from "./LinkDetail";
import { NodeDetail } from "./NodeDetail";
import { NodeList } from "./NodeList";

export function NetworkPanel() {
  const [kind, name] = route.value.path;
  useEffect(() => {
    picture.value = name === undefined ? NOTHING : { ...NOTHING, selected: name };
  }, [name]);
  if (name === undefined) {
    return <NodeList />;
  }
  return kind === "link" ? (
    <LinkDetail id={name} />
  ) : kind === "host" ? (
    <HostDetail name={name} />
  ) : (
    <NodeDetail key={name} name={name} />
  );
}
