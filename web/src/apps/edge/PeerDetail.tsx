// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { problemText } from "../../api/why";
import { Back } from "../../components/Back";
import { Leaving } from "../../components/Leaving";
import { Waiting } from "../../components/Loaded";
import { Missing, useWasThere } from "../../components/Missing";
import { Remove } from "../../components/Remove";
import { State } from "../../components/State";
import { Troubles } from "../../components/Troubles";
import { isLeaving } from "../../model/leaving";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import type { PeerStatus } from "./api";
import { peers } from "./peers";
import { strings } from "./strings";

/** One peer: from where and where it is let in; closing the edge again is removing it. */
export function PeerDetail({ id }: { readonly id: string }) {
  const status = peers.all.value?.get(id);
  const was = useWasThere(status !== undefined);
  const nodes = status?.peer.ports.map((port) => port.replace(/\/\d+$/, "")).join(" ");
  useLayoutEffect(() => {
    picture.value = { ...NOTHING, stops: nodes === undefined ? [] : [...new Set(nodes.split(" "))] };
  }, [nodes]);
  return (
    <>
      <Back app="edge" title={strings.title} />
      {peers.all.value === undefined ? (
        <Waiting what={strings.thePeer} why={peers.trouble.value} />
      ) : status === undefined ? (
        <Missing one={strings.peer} id={id} was={was}>
          {strings.filteredAgain}
        </Missing>
      ) : (
        <Detail status={status} />
      )}
    </>
  );
}

function Detail({ status }: { readonly status: PeerStatus }) {
  const { id, state, peer } = status;
  return (
    <>
      <div class="bar">
        <h2>{id}</h2>
        <State state={state} />
        <Remove
          of="edge"
          id={id}
          state={state}
          etag={status.etag}
          remove={(etag) => peers.remove(id, etag)}
          gone={() => go("edge")}
        />
      </div>
      <dl class="facts">
        <dt>{strings.sources}</dt>
        <dd>
          <code>{peer.sources.join(", ")}</code>
        </dd>
        <dt>{strings.ports}</dt>
        <dd>{peer.ports.join(", ")}</dd>
      </dl>
      {status.errors.map((problem) => (
        <p class="trouble" key={problem.field + problem.message}>
          {problemText(problem)}
        </p>
      ))}
      {isLeaving(status) ? (
        <Leaving what={strings.peer} troubles={status.troubles} />
      ) : (
        <Troubles of={status.troubles} />
      )}
    </>
  );
}
