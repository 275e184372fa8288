// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { isOvertaken, Refused, type Problem } from "../../api/client";
import { whyOf } from "../../api/why";
import { Problems } from "../../components/Fields";
import { useSending } from "../../components/sending";
import type { Session } from "./api";
import { within } from "./draft";
import { teidText } from "./segments";
import { handOver } from "./sessions";
import { TunnelFields } from "./TunnelFields";
import { isTunnel, NO_TUNNEL, tunnelOf } from "./tunnel";
import { strings } from "./strings";

interface Props {
  readonly slice: string;
  readonly id: string;
  readonly downlink: Session["downlink"];
  /** The entity tag of the session whose end this is. */
  readonly etag: string | undefined;
}

/** The result of the last attempt. */
type Outcome =
  | { readonly is: "none" }
  | { readonly is: "done"; readonly to: string }
  | { readonly is: "refused"; readonly problems: readonly Problem[]; readonly why: string };

/** The gNB's end of a session's tunnel becomes another. */
export function HandOver({ slice, id, downlink, etag }: Props) {
  const [tunnel, setTunnel] = useState(NO_TUNNEL);
  const [outcome, setOutcome] = useState<Outcome>({ is: "none" });
  const { under, send } = useSending();
  const ready = isTunnel(tunnel) && !under;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (ready) {
      send(
        () => handOver(slice, id, tunnelOf(tunnel), etag),
        () => {
          setOutcome({ is: "done", to: tunnel.endpoint });
          setTunnel(NO_TUNNEL);
        },
        (error) => setOutcome(refused(error)),
      );
    }
  };
  const problems = outcome.is === "refused" ? outcome.problems : [];
  return (
    <section aria-label={strings.handover}>
      <h3>{strings.handOver}</h3>
      <p class="quiet">
        {downlink === undefined
          ? strings.noDownlinkEndpointYet
          : strings.currentEndpoint(downlink.endpoint, teidText(Number(downlink.teid)))}
      </p>
      <form class="create" onSubmit={submit} noValidate>
        <TunnelFields
          name="downlink"
          endpoint={strings.newGnb}
          teid={strings.newTeid}
          tunnel={tunnel}
          problems={within(problems, "downlink")}
          onTunnel={setTunnel}
        />
        <Problems problems={problems.filter((one) => within([one], "downlink").length === 0)} />
        {outcome.is === "refused" && problems.length === 0 && (
          <p class="trouble" role="alert">
            {outcome.why}
          </p>
        )}
        <div class="bar">
          <button type="submit" aria-disabled={!ready}>
            {under ? strings.handingOver : strings.handOver}
          </button>
          <span role="status">{outcome.is === "done" && strings.handedOver(outcome.to)}</span>
        </div>
      </form>
    </section>
  );
}

function refused(error: unknown): Outcome {
  return {
    is: "refused",
    problems: error instanceof Refused && !isOvertaken(error) ? error.problems : [],
    why: isOvertaken(error) ? strings.changedMeanwhile : whyOf(error, "changing"),
  };
}
