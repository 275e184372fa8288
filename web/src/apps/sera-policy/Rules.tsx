// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { countText, counted } from "../../model/format";
import type { Counters, Finding, Firewall, Hit, Rule } from "./api";
import { actionText, askedOf, droppedText, findingText, lastHitText, ruleName } from "./text";
import { strings } from "./strings";

/** A firewall may have thousands. */
const PAGE = 100;

interface Props {
  readonly firewall: Firewall;
  readonly findings: readonly Finding[];
  readonly counts: Counters | undefined;
}

/** The rules in their order, each with its counters and findings. */
export function Rules({ firewall, findings, counts }: Props) {
  const [shown, setShown] = useState(PAGE);
  const hits = new Map(counts?.rules?.map((one) => [one.rule, one] as const));
  const { rules } = firewall;
  return (
    <section aria-label={strings.rules}>
      <h3>{strings.rulesHeading}</h3>
      <ol class="rules" start={0}>
        {rules.slice(0, shown).map((rule, i) => (
          <RuleLine
            key={i}
            rule={rule}
            index={i}
            hits={hits.get(i)}
            findings={findings.filter(({ field }) => field === `/rules/${i}`)}
          />
        ))}
        {shown >= rules.length && (
          <li>
            <span class="asked quiet">{strings.defaultAction}</span>
            <Action action={firewall.default} />
            <Hits of={counts?.default} />
          </li>
        )}
      </ol>
      {shown < rules.length && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          {strings.showMore(counted(rules.length, "rule"))}
        </button>
      )}
    </section>
  );
}

function RuleLine({
  rule,
  index,
  hits,
  findings,
}: {
  readonly rule: Rule;
  readonly index: number;
  readonly hits: Hit | undefined;
  readonly findings: readonly Finding[];
}) {
  return (
    <li>
      <span class="asked">
        <b>{ruleName(rule, index)}</b>{" "}
        {askedOf(rule).map(([name, value]) => (
          <span key={name}>
            {name !== "" && <span class="quiet">{name}</span>} <code>{value}</code>{" "}
          </span>
        ))}
        {askedOf(rule).length === 0 && <span class="quiet">{strings.anyPacket}</span>}
        {rule.log === true && <span class="badge">{strings.logged}</span>}
      </span>
      <Action action={rule.action} />
      <Hits of={hits} />
      {findings.map((finding) => (
        <span class="finding" key={finding.code}>
          <span class="badge warn">{finding.code.toLowerCase()}</span> {findingText(finding.code)}
          {finding.by.length > 0 && strings.because(finding.by)}
        </span>
      ))}
    </li>
  );
}

function Action({ action }: { readonly action: string }) {
  return <span class={`action ${action === "drop" ? "drops" : ""}`}>{actionText(action)}</span>;
}

function Hits({ of }: { readonly of: Hit | undefined }) {
  const last = of === undefined ? undefined : lastHitText(of);
  return (
    <span class="hits" title={last}>
      {of === undefined ? "–" : counted(of.hits, "hit")}
      {last !== undefined && <span class="block quiet">{last}</span>}
    </span>
  );
}

/** The packets that the node dropped beside the rules, of all versions. */
export function Dropped({ counts }: { readonly counts: Counters }) {
  const reasons = Object.entries(counts.dropped ?? {}).filter(([, packets]) => packets > 0);
  if (!counts.read) {
    return <p class="warning">{strings.countersUnavailable(counts.node)}</p>;
  }
  return (
    <>
      {reasons.length > 0 && (
        <p class="warning">
          {strings.otherDrops(
            reasons.map(([reason, packets]) => `${droppedText(reason)} ${countText(packets)}`).join(", "),
          )}
        </p>
      )}
    </>
  );
}
