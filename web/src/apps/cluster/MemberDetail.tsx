// SPDX-License-Identifier: Apache-2.0
import type { Cluster } from "../../api/client";
import { Back } from "../../components/Back";
import { useEvery } from "../../components/Loaded";
import { State } from "../../components/State";
import { controllerNow } from "../../state/clock";
import { Nodes } from "./Nodes";
import { sinceText } from "./shares";

const TICK_MILLIS = 10_000;

/** One member: where it is, since when it is so, and its nodes, which are marked on the map. */
export function MemberDetail({ cluster, id }: { readonly cluster: Cluster; readonly id: string }) {
  useEvery(TICK_MILLIS);
  const member = cluster.members.find((one) => one.id === id);
  if (member === undefined) {
    return (
      <>
        <Back app="cluster" title="Cluster" />
        <p>There is no member “{id}”.</p>
      </>
    );
  }
  return (
    <>
      <Back app="cluster" title="Cluster" />
      <div class="bar">
        <h2>{id}</h2>
        <State state={member.state} />
      </div>
      {member.state === "LOST" && (
        <p class="trouble" role="status">
          The other members do not hear it. Its nodes forward as they did; another member takes them over.
        </p>
      )}
      <dl class="facts">
        <dt>State</dt>
        <dd>{sinceText(member, controllerNow()) || "since when is not known"}</dd>
        <dt>Address</dt>
        <dd>{member.address === undefined ? "not told" : <code>{member.address}</code>}</dd>
        {member.version !== undefined && (
          <>
            <dt>Version</dt>
            <dd>{member.version}</dd>
          </>
        )}
        <dt>Answers</dt>
        <dd>{member.self ? "this page" : "not this page"}</dd>
        <dt>Settles</dt>
        <dd>{cluster.settles === id ? "what belongs to no node" : "nothing but its nodes"}</dd>
      </dl>
      <section aria-label="Its nodes">
        <h3>
          Acts for <span class="count">{member.count}</span>
        </h3>
        {member.count === 0 ? <p class="quiet">No node is its own now.</p> : <Nodes names={member.nodes} />}
      </section>
    </>
  );
}
