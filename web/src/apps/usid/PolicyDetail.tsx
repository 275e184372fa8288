// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from "preact/hooks";
import { problemText } from "../../api/why";
import { Back } from "../../components/Back";
import { HourFacts } from "../../components/HourFacts";
import { Leaving } from "../../components/Leaving";
import { useAsked, Waiting } from "../../components/Loaded";
import { Missing, useWasThere } from "../../components/Missing";
import { Remove } from "../../components/Remove";
import { State } from "../../components/State";
import { Troubles } from "../../components/Troubles";
import { Warnings } from "../../components/Warnings";
import { isLeaving } from "../../model/leaving";
import { controllerNow } from "../../state/clock";
import { loaded, network } from "../../state/network";
import { bringIntoView, NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import type { PolicyStatus } from "./api";
import { CandidatePaths } from "./CandidatePaths";
import { planOf, policies } from "./policies";
import { PolicyEntries } from "./PolicyEntries";
import { routeText, termsText, viaText } from "./text";
import { Walk } from "./Walk";
import { ghostOf, reroutedText } from "./wanted";
import { useWatched } from "./watched";
import { strings } from "./strings";

/** One policy: how far it is and why, and its effect on a packet in the network as it is now. */
export function PolicyDetail({ id }: { readonly id: string }) {
  const policy = policies.all.value?.get(id);
  const was = useWasThere(policy !== undefined);
  return policy !== undefined && isLeaving(policy) ? (
    <>
      <Back app="policies" title={strings.policies} />
      <Head policy={policy} />
    </>
  ) : (
    <Wanted id={id} policy={policy} was={was} />
  );
}

interface WantedProps {
  readonly id: string;
  readonly policy: PolicyStatus | undefined;
  /** It was there since the page is. */
  readonly was: boolean;
}

/** A policy that was not deleted, as far as it is known. */
function Wanted({ id, policy, was }: WantedProps) {
  const gone = policies.all.value !== undefined && policy === undefined;
  const links = [...network.value.links.values()].map((link) => link.up).join();
  const plan = useAsked(() => planOf(id), [policy?.etag, policy?.state, policy?.since, links]);
  const watched = useWatched(id, policy);
  const wanted = policy?.wanted;
  const ghost = useMemo(() => (wanted === undefined ? undefined : ghostOf(wanted)), [wanted]);
  useEffect(() => {
    if (plan.is !== "here" || gone) {
      picture.value = ghost === undefined || gone ? NOTHING : { ...NOTHING, paths: [ghost] };
    }
  }, [plan.is, gone, ghost]);
  useEffect(() => {
    if (loaded.value && policy?.policy.nodes !== undefined) {
      bringIntoView(...policy.policy.nodes);
    }
  }, [id, loaded.value]);
  if (gone) {
    return (
      <>
        <Back app="policies" title={strings.policies} />
        <Missing one={strings.policy} id={id} was={was} />
      </>
    );
  }
  return (
    <>
      <Back app="policies" title={strings.policies} />
      {policy !== undefined && <Head policy={policy} />}
      {plan.is === "waiting" && <Waiting what={strings.thePlan} why={policies.trouble.value} />}
      {plan.is === "failed" && <p class="trouble">{plan.why}</p>}
      {plan.is === "here" && <CandidatePaths of={plan.value.candidatePaths ?? []} watched={watched} />}
      {policy !== undefined && <HourFacts key={id} of={`policy:${id}`} />}
      {plan.is === "here" && <Walk directions={plan.value.directions} ghost={ghost} />}
      {policy !== undefined && <PolicyEntries id={id} version={`${policy.state} ${policy.since}`} />}
    </>
  );
}

function Head({ policy }: { readonly policy: PolicyStatus }) {
  return (
    <header class="head">
      <div class="bar">
        <h2>{policy.id}</h2>
        <State state={policy.state} />
        <Remove
          of="policies"
          id={policy.id}
          state={policy.state}
          etag={policy.etag}
          remove={(etag) => policies.remove(policy.id, etag)}
          gone={() => go("policies")}
        />
      </div>
      <p>
        {routeText(policy.policy)} <span class="quiet">{viaText(policy.policy)}</span>
      </p>
      {termsText(policy) !== "" && <p class="quiet">{termsText(policy)}</p>}
      {policy.wanted !== undefined && (
        <p class="warning" role="status">
          {reroutedText(policy.wanted, controllerNow())}
        </p>
      )}
      {policy.errors.map((problem) => (
        <p class="trouble" key={problem.field + problem.message}>
          {problemText(problem)}
        </p>
      ))}
      {isLeaving(policy) ? (
        <Leaving what={strings.policy} troubles={policy.troubles} />
      ) : (
        <>
          <Troubles of={policy.troubles} />
          <Warnings of={policy.warnings} />
        </>
      )}
    </header>
  );
}
