// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import "./walk.css";
import { strings } from "./strings";

export interface Mtu {
  readonly innerBytes: number;
  readonly neededForInnerBytes: number;
  readonly smallest?: number | undefined;
  readonly lackingLinks: readonly { readonly link: string; readonly mtuBytes: number; readonly neededBytes: number }[];
}

export interface Reallocation {
  readonly node: string;
  readonly headerBytes: number;
  readonly twice: boolean;
  readonly avoidedBy?: string | undefined;
}

interface Props {
  /** Bytes in front of a packet, beside the alternatives. */
  readonly rows: readonly { readonly name: string; readonly bytes: number; readonly own: boolean }[];
  readonly mtu: Mtu;
  /** The fate of packets that are too big. */
  readonly tooBig: string;
  readonly reallocation: Reallocation;
  readonly children: ComponentChildren;
}

/** The cost of an encapsulation, and whether links and the headend's kernel support it. */
export function Cost({ rows, mtu, tooBig, reallocation, children }: Props) {
  const most = Math.max(...rows.map((row) => row.bytes));
  return (
    <section aria-label={strings.bytesHeading}>
      <h3>{children}</h3>
      <dl class="bars">
        {rows.map((row) => (
          <div class={row.own ? "own" : ""} key={row.name}>
            <dt>{row.name}</dt>
            <dd>
              <meter min={0} max={most} value={row.bytes} aria-label={strings.bytes(row.name, row.bytes)} />
              <span>{strings.bytesShort(row.bytes)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <ul class="verdicts">
        <MtuVerdict mtu={mtu} tooBig={tooBig} />
        <ReallocationVerdict verdict={reallocation} />
      </ul>
    </section>
  );
}

function MtuVerdict({ mtu, tooBig }: Pick<Props, "mtu" | "tooBig">) {
  if (mtu.lackingLinks.length === 0) {
    return <Verdict good>{strings.fits(mtu.innerBytes, mtu.neededForInnerBytes, mtu.smallest)}</Verdict>;
  }
  const links = mtu.lackingLinks.map((one) => strings.linkMtu(one.link, one.mtuBytes, one.neededBytes));
  return <Verdict>{strings.tooBig(links.join(", "), mtu.innerBytes, tooBig)}</Verdict>;
}

function ReallocationVerdict({ verdict }: { readonly verdict: Reallocation }) {
  return verdict.twice ? (
    <Verdict>{strings.reallocatesTwice(verdict.headerBytes, verdict.node, verdict.avoidedBy)}</Verdict>
  ) : (
    <Verdict good>{strings.reallocatesOnce(verdict.node, verdict.headerBytes)}</Verdict>
  );
}

function Verdict({ good = false, children }: { readonly good?: boolean; readonly children: ComponentChildren }) {
  return (
    <li class={good ? "good" : "warn"}>
      <span aria-hidden="true">{good ? "✓" : "!"}</span>
      <span>{children}</span>
    </li>
  );
}
