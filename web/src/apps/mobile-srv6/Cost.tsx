// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import type { SliceWay } from "./api";
import { isWhole } from "./walk";

/** What the OpenAPI calls an object: as policies have it. */
interface Mtu {
  readonly innerBytes: number;
  readonly neededForInnerBytes: number;
  readonly smallest?: number;
  readonly lackingLinks: readonly { readonly link: string; readonly mtuBytes: number; readonly neededBytes: number }[];
}

interface Reallocation {
  readonly node: string;
  readonly headerBytes: number;
  readonly twice: boolean;
  readonly avoidedBy?: string;
}

/** Bytes in front of the UE's packet against GTP-U, and whether links and the headend's kernel bear them. */
export function Cost({ way }: { readonly way: SliceWay }) {
  const rows = [
    { name: isWhole(way) ? "SRv6 + GTP-U" : "SRv6", bytes: way.gtpBytes + way.moreThanGtpBytes, own: true },
    { name: "GTP-U", bytes: way.gtpBytes, own: false },
  ];
  const most = Math.max(...rows.map((row) => row.bytes));
  return (
    <section aria-label="Bytes">
      <h3>
        {way.encapsulationBytes} bytes of SRv6
        <span class={`badge ${way.moreThanGtpBytes <= 0 ? "good" : ""}`}>{againstGtp(way.moreThanGtpBytes)}</span>
      </h3>
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
        <MtuVerdict mtu={way.mtu as unknown as Mtu} />
        <ReallocationVerdict verdict={way.doubleReallocation as unknown as Reallocation} />
      </ul>
    </section>
  );
}

/** Such as "4 fewer than GTP-U". */
export function againstGtp(more: number): string {
  return more === 0 ? "as many as GTP-U" : `${Math.abs(more)} ${more < 0 ? "fewer" : "more"} than GTP-U`;
}

function MtuVerdict({ mtu }: { readonly mtu: Mtu }) {
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
      Too big for {links.join(", ")}: packets of {mtu.innerBytes} bytes would be dropped, and their sender told. Raise
      the MTU or choose another path.
    </Verdict>
  );
}

function ReallocationVerdict({ verdict }: { readonly verdict: Reallocation }) {
  return verdict.twice ? (
    <Verdict>
      A Linux headend before 6.14 would move each packet twice to push {verdict.headerBytes} bytes at {verdict.node}.
      {verdict.avoidedBy === undefined ? "" : ` Avoided by ${verdict.avoidedBy}.`}
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
