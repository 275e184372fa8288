// SPDX-License-Identifier: Apache-2.0
import { route } from "../../state/route";
import { EdgeView } from "./EdgeView";
import { NewPeer } from "./NewPeer";
import { PeerDetail } from "./PeerDetail";

/** "+" cannot be mistaken for a name: peers begin with a letter or a digit. */
export function EdgePanel() {
  const [what, id] = route.value.path;
  if (what === "+") {
    return <NewPeer />;
  }
  return what === "peers" && id !== undefined ? <PeerDetail key={id} id={id} /> : <EdgeView />;
}
