// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { Refused, type Problem } from "../../api/client";
import { whyOf } from "../../api/why";
import { Choice, Problems, TextField } from "../../components/Fields";
import { useSending } from "../../components/sending";
import type { Rule, Traced } from "./api";
import { trace } from "./firewalls";
import { EMPTY, isPacket, packetOf, type PacketDraft } from "./packet";
import { Journey } from "./Journey";
import { actionText, droppedText, ruleName } from "./text";
import { strings } from "./strings";

type Outcome =
  | { readonly is: "none" }
  | { readonly is: "traced"; readonly traced: Traced }
  | { readonly is: "refused"; readonly problems: readonly Problem[]; readonly why: string };

interface Props {
  readonly id: string;
  readonly node: string;
  readonly rules: readonly Rule[];
  /** The policies through the firewall. */
  readonly policies: readonly string[];
}

/** The verdict on one packet, here or all along a policy; none is sent. */
export function Trace({ id, node, rules, policies }: Props) {
  const [draft, setDraft] = useState<PacketDraft>(EMPTY);
  const [outcome, setOutcome] = useState<Outcome>({ is: "none" });
  const { under, send } = useSending();
  const ready = isPacket(draft) && !under;
  const set = (fields: Partial<PacketDraft>): void => setDraft((before) => ({ ...before, ...fields }));
  const submit = (event: Event): void => {
    event.preventDefault();
    if (ready) {
      send(
        () => trace(id, packetOf(draft)),
        (traced) => setOutcome({ is: "traced", traced }),
        (error) =>
          setOutcome({
            is: "refused",
            problems: error instanceof Refused ? error.problems : [],
            why: whyOf(error),
          }),
      );
    }
  };
  const problems = outcome.is === "refused" ? outcome.problems : [];
  const of = (name: string): readonly Problem[] => problems.filter(({ field }) => field === name);
  return (
    <section aria-label={strings.trace}>
      <h3>{strings.packetTrace}</h3>
      <form class="create" onSubmit={submit} noValidate>
        <div class="pair">
          <TextField
            label={strings.source}
            value={draft.source}
            placeholder={strings.exampleSource}
            problems={of("/packet/source")}
            onValue={(source) => set({ source })}
          />
          <TextField
            label={strings.destination}
            value={draft.destination}
            placeholder={strings.exampleDestination}
            problems={of("/packet/destination")}
            onValue={(destination) => set({ destination })}
          />
        </div>
        <div class="pair">
          <Choice
            label={strings.protocol}
            value={draft.protocol}
            options={strings.protocols}
            problems={of("/packet/protocol")}
            onValue={(protocol) => set({ protocol })}
          />
          <TextField
            label={strings.destinationPort}
            value={draft.port}
            placeholder={strings.examplePort}
            problems={of("/packet/destinationPort")}
            onValue={(port) => set({ port })}
          />
        </div>
        {policies.length > 0 && (
          <Choice
            label={strings.policy}
            value={policies.includes(draft.policy) ? draft.policy : ""}
            options={{
              "": strings.noneStartsAtTheFirewall,
              ...Object.fromEntries(policies.map((name) => [name, name])),
            }}
            problems={[...of("/policy"), ...of("/path")]}
            onValue={(policy) => set({ policy })}
          />
        )}
        <TextField
          label={strings.packetAsHex}
          value={draft.hex}
          placeholder={strings.hexHint}
          problems={of("/hex")}
          onValue={(hex) => set({ hex })}
        />
        <Problems problems={problems.filter(({ field }) => !SHOWN.has(field))} />
        {outcome.is === "refused" && problems.length === 0 && (
          <p class="trouble" role="alert">
            {outcome.why}
          </p>
        )}
        <div class="bar">
          <button type="submit" aria-disabled={!ready}>
            {under ? strings.tracing : strings.trace}
          </button>
        </div>
      </form>
      {outcome.is === "traced" && (
        <>
          <Found traced={outcome.traced} rules={rules} />
          {outcome.traced.hops !== undefined && outcome.traced.end !== undefined && (
            <Journey hops={outcome.traced.hops} end={outcome.traced.end} node={node} />
          )}
        </>
      )}
    </section>
  );
}

const SHOWN = new Set([
  "/packet/source",
  "/packet/destination",
  "/packet/protocol",
  "/packet/destinationPort",
  "/hex",
  "/policy",
  "/path",
]);

function Found({ traced, rules }: { readonly traced: Traced; readonly rules: readonly Rule[] }) {
  const { rule, passed = [], before, after, dropped } = traced;
  if (traced.verdict === undefined) {
    return (
      <p class="traced" role="status">
        {strings.notReached}
      </p>
    );
  }
  return (
    <div class="traced" role="status">
      <p>
        <b class={traced.verdict === "drop" || dropped !== undefined ? "drops" : ""}>{actionText(traced.verdict)}</b>
        {rule !== undefined &&
          strings.byRule(rule.index === undefined ? rule.name : ruleName(rules[rule.index], rule.index))}
        {traced.enforced !== undefined && <span class="quiet">{strings.auditAction(actionText(traced.enforced))}</span>}
        {dropped !== undefined && strings.alsoDropped(droppedText(dropped))}
        {traced.why !== undefined && <span class="block quiet">{traced.why}</span>}
      </p>
      {before !== undefined && after !== undefined && (
        <p class="block">{strings.becomes(before.destinationAddress, after.destinationAddress)}</p>
      )}
      {passed.length > 0 && (
        <details>
          <summary>{strings.unmatched(passed.length)}</summary>
          <ul class="passed">
            {passed.slice(0, 100).map((one) => (
              <li key={one.rule}>
                {ruleName(rules[one.rule], one.rule)} <span class="quiet">{strings.mismatch(one.differs)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
