// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import "./walk.css";

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
    <section aria-label="Bytes">
      <h3>{children}</h3>
      <dl class="bars">
        {rows.map((row) => (
          <div class={row.own ? "own" : ""} key={row.name}>
            <dt>{row.name}</dt>
            <dd>
              <meter min={0} max={most} value={row.bytes} aria-label={`${row.name}: ${row.bytes} bytes`} />
              <span>{row.bytes} B</span>
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
    return (
      <Verdict good>
        Fits: packets of {mtu.innerBytes} bytes become {mtu.neededForInnerBytes}
        {mtu.smallest === undefined
          ? ", and no link on the way tells its MTU"
          : `, the smallest MTU on the way is ${mtu.smallest}`}
        .
      </Verdict>
    );
  }
  const links = mtu.lackingLinks.map((one) => `${one.link} (MTU ${one.mtuBytes}, needed ${one.neededBytes})`);
  return (
    <Verdict>
      Too big for {links.join(", ")}: packets of {mtu.innerBytes} bytes would be {tooBig}. Raise the MTU or choose
      another path.
    </Verdict>
  );
}

function ReallocationVerdict({ verdict }: { readonly verdict: Reallocation }) {
  return verdict.twice ? (
    <Verdict>
      A Linux headend before 6.6.81, 6.12.16 or 6.14 would reallocate each packet twice to push {verdict.headerBytes}{" "}
      bytes at {verdict.node}.{verdict.avoidedBy === undefined ? "" : ` Avoided by ${verdict.avoidedBy}.`}
    </Verdict>
  ) : (
    <Verdict good>
      {verdict.node} pushes {verdict.headerBytes} bytes without reallocating the packet twice.
    </Verdict>
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
