// SPDX-License-Identifier: Apache-2.0
import type { Cluster } from "../../api/client";
import { useEvery } from "../../components/Loaded";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { controllerNow } from "../../state/clock";
import { Nodes } from "./Nodes";
import { compilerText, shareText, sinceText } from "./shares";
import { strings } from "./strings";

/** "Ago" grows older by itself. */
const TICK_MILLIS = 10_000;

/** The members in the order of their ids, and the nodes without a member. */
export function MemberList({ cluster }: { readonly cluster: Cluster }) {
  useEvery(TICK_MILLIS);
  const { members, unattended } = cluster;
  const compiler = compilerText(cluster);
  return (
    <>
      <h2>
        {strings.cluster} <span class="count">{members.length}</span>
      </h2>
      <p class="quiet">{strings.about}</p>
      {compiler !== "" && (
        <p class={cluster.compiler.standsAside === undefined ? "" : "trouble"} role="status">
          {compiler}
        </p>
      )}
      <ul class="cards" aria-label={strings.members}>
        {members.map((member) => (
          <li key={member.id}>
            <a class={`card ${member.state === "LOST" ? "attention" : ""}`} href={addressOf("cluster", member.id)}>
              <span class="title">{member.id}</span>
              <State state={member.state} />
              <span class="line">{shareText(member, cluster)}</span>
              <span class="line quiet">
                {[sinceText(member, controllerNow()), member.self ? strings.servesThisPage : ""]
                  .filter((text) => text !== "")
                  .join(" · ")}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {unattended.length > 0 && (
        <section aria-label={strings.unassignedNodes}>
          <h3>
            {strings.unassigned} <span class="badge warn">{unattended.length}</span>
          </h3>
          <Nodes names={unattended} />
        </section>
      )}
    </>
  );
}
