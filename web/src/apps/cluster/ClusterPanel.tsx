// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { Waiting } from "../../components/Loaded";
import { NOTHING, picture } from "../../state/picture";
import { route } from "../../state/route";
import { cluster, trouble } from "./cluster";
import { MemberDetail } from "./MemberDetail";
import { MemberList } from "./MemberList";
import { strings } from "./strings";

/** Members of the cluster; the map shows whose nodes are whose. */
export function ClusterPanel() {
  const [id] = route.value.path;
  const told = cluster.value;
  useLayoutEffect(() => {
    const held = told?.members.find((member) => member.id === id)?.nodes ?? [];
    picture.value = { ...NOTHING, held, unattended: told?.unattended ?? [] };
  }, [told, id]);
  if (told === undefined) {
    return <Waiting what={strings.theCluster} why={trouble.value} />;
  }
  return id === undefined ? <MemberList cluster={told} /> : <MemberDetail key={id} cluster={told} id={id} />;
}
