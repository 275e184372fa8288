// SPDX-License-Identifier: Apache-2.0
import type { Cluster } from "../../api/client";
import { Back } from "../../components/Back";
import { useEvery } from "../../components/Loaded";
import { State } from "../../components/State";
import { controllerNow } from "../../state/clock";
import { Nodes } from "./Nodes";
import { sinceText } from "./shares";
import { strings } from "./strings";

const TICK_MILLIS = 10_000;

/** One member: where it is, since when it is so, and its nodes, which are marked on the map. */
export function MemberDetail({ cluster, id }: { readonly cluster: Cluster; readonly id: string }) {
  useEvery(TICK_MILLIS);
  const member = cluster.members.find((one) => one.id === id);
  if (member === undefined) {
    return (
      <>
        <Back app="cluster" title={strings.cluster} />
        <p>{strings.noMember(id)}</p>
      </>
    );
  }
  return (
    <>
      <Back app="cluster" title={strings.cluster} />
      <div class="bar">
        <h2>{id}</h2>
        <State state={member.state} />
      </div>
      {member.state === "LOST" && (
        <p class="trouble" role="status">
          {strings.memberLost}
        </p>
      )}
      <dl class="facts">
        <dt>{strings.state}</dt>
        <dd>{sinceText(member, controllerNow()) || strings.timeOfChangeUnknown}</dd>
        <dt>{strings.address}</dt>
        <dd>{member.address === undefined ? strings.unknown : <code>{member.address}</code>}</dd>
        {member.version !== undefined && (
          <>
            <dt>{strings.version}</dt>
            <dd>{member.version}</dd>
          </>
        )}
        <dt>{strings.thisPage}</dt>
        <dd>{member.self ? strings.servedByThisMember : strings.servedByAnotherMember}</dd>
        <dt>{strings.tasksOfTheWholeCluster}</dt>
        <dd>{cluster.settles === id ? strings.performedHere : strings.performedByAnotherMember}</dd>
      </dl>
      <section aria-label={strings.nodesOfThisMember}>
        <h3>
          {strings.programs} <span class="count">{member.count}</span>
        </h3>
        {member.count === 0 ? <p class="quiet">{strings.noOwnNode}</p> : <Nodes names={member.nodes} />}
      </section>
    </>
  );
}
