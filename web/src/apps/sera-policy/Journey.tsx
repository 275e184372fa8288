// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useState } from "preact/hooks";
import { Stepper } from "../../components/Stepper";
import { NOTHING, picture } from "../../state/picture";
import type { TracedEnd, TracedHop } from "./api";
import { endText, wayOf } from "./way";
import { actionText } from "./text";
import { strings } from "./strings";

interface Props {
  readonly hops: readonly TracedHop[];
  readonly end: TracedEnd;
  /** The firewall's, which the map shows when there is no packet any more. */
  readonly node: string;
}

/** A packet along a policy, node by node, on the map and in bytes. */
export function Journey({ hops, end, node }: Props) {
  const [wanted, setStep] = useState(0);
  const at = Math.min(wanted, hops.length - 1);
  useLayoutEffect(() => {
    const here = hops[at]?.node;
    const next = hops.slice(at + 1).find((hop) => hop.node !== here)?.node;
    picture.value = {
      ...NOTHING,
      paths: [wayOf(hops, end)],
      ...(here === undefined ? {} : { packet: { at: here, next: next ?? end.to } }),
    };
    return () => {
      picture.value = { ...NOTHING, selected: node };
    };
  }, [hops, at, end, node]);
  return (
    <>
      <Stepper steps={hops} at={at} onStep={setStep}>
        {(hop, i) => <Step hop={hop} open={i === at} />}
      </Stepper>
      <p class={end.outcome === "delivered" ? "" : "trouble"} role="status">
        {endText(end)}
      </p>
    </>
  );
}

function Step({ hop, open }: { readonly hop: TracedHop; readonly open: boolean }) {
  const header = hop.before ?? hop.after;
  return (
    <>
      <span class="who">
        <b>{hop.node}</b> <span class="behavior">{hop.behavior}</span>
      </span>
      <code class="da">{header?.destinationAddress}</code>
      {header?.segmentsLeft !== undefined && <span class="sl">{strings.segmentsLeft(header.segmentsLeft)}</span>}
      {hop.firewall !== undefined && (
        <span class="what">
          {hop.firewall.id}:{" "}
          <b class={hop.firewall.verdict === "drop" ? "drops" : ""}>{actionText(hop.firewall.verdict)}</b>{" "}
          {strings.byRule(hop.firewall.rule.name)}
          {hop.firewall.enforced !== undefined && strings.audited}
        </span>
      )}
      {open && <Bytes title={strings.before} hex={hop.before?.header} />}
      {open && <Bytes title={strings.after} hex={hop.after?.header} />}
    </>
  );
}

function Bytes({ title, hex }: { readonly title: string; readonly hex: string | undefined }) {
  return hex === undefined ? null : (
    <span class="what">
      {title} <code class="hex">{hex.replace(/(.{8})(?=.)/g, "$1 ")}</code>
    </span>
  );
}
