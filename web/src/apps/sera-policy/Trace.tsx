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
    <section aria-label="Trace">
      <h3>What becomes of a packet</h3>
      <form class="create" onSubmit={submit} noValidate>
        <div class="pair">
          <TextField
            label="From"
            value={draft.source}
            placeholder="2001:db8:1::1"
            problems={of("/packet/source")}
            onValue={(source) => set({ source })}
          />
          <TextField
            label="To"
            value={draft.destination}
            placeholder="2001:db8:2::1"
            problems={of("/packet/destination")}
            onValue={(destination) => set({ destination })}
          />
        </div>
        <div class="pair">
          <Choice
            label="Protocol"
            value={draft.protocol}
            options={{ tcp: "TCP", udp: "UDP", icmpv6: "ICMPv6", icmp: "ICMP" }}
            problems={of("/packet/protocol")}
            onValue={(protocol) => set({ protocol })}
          />
          <TextField
            label="To port"
            value={draft.port}
            placeholder="53"
            problems={of("/packet/destinationPort")}
            onValue={(port) => set({ port })}
          />
        </div>
        {policies.length > 0 && (
          <Choice
            label="Along policy"
            value={policies.includes(draft.policy) ? draft.policy : ""}
            options={{
              "": "none: it comes to the firewall",
              ...Object.fromEntries(policies.map((name) => [name, name])),
            }}
            problems={[...of("/policy"), ...of("/path")]}
            onValue={(policy) => set({ policy })}
          />
        )}
        <TextField
          label="Or the packet in hexadecimal"
          value={draft.hex}
          placeholder="60…, from its IPv6 or Ethernet header on"
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
            {under ? "Asking…" : "Trace"}
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
        It does not come to this firewall.
      </p>
    );
  }
  return (
    <div class="traced" role="status">
      <p>
        <b class={traced.verdict === "drop" || dropped !== undefined ? "drops" : ""}>{actionText(traced.verdict)}</b>
        {rule !== undefined && (
          <> by {rule.index === undefined ? rule.name : ruleName(rules[rule.index], rule.index)}</>
        )}
        {traced.enforced !== undefined && <span class="quiet"> (audit: {actionText(traced.enforced)})</span>}
        {dropped !== undefined && <>; dropped: {droppedText(dropped)}</>}
        {traced.why !== undefined && <span class="block quiet">{traced.why}</span>}
      </p>
      {before !== undefined && after !== undefined && (
        <p class="block">
          <code>{before.destinationAddress}</code> becomes <code>{after.destinationAddress}</code>
        </p>
      )}
      {passed.length > 0 && (
        <details>
          <summary>Rules that passed it over: {passed.length}</summary>
          <ul class="passed">
            {passed.slice(0, 100).map((one) => (
              <li key={one.rule}>
                {ruleName(rules[one.rule], one.rule)} <span class="quiet">differs in {one.differs}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
