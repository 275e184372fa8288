// SPDX-License-Identifier: Apache-2.0
import type { Direction } from "./api";

/** What the encapsulation costs beside the alternatives, and whether links and the headend's kernel bear it. */
export function Bytes({ direction }: { readonly direction: Direction }) {
  const rows = [
    { name: "uSID", bytes: direction.encapsulationBytes, own: true },
    { name: "plain SRv6", bytes: direction.plainSrv6Bytes, own: false },
    { name: "CRH-16", bytes: direction.crh16.bytes, own: false },
    { name: "CRH-32", bytes: direction.crh32.bytes, own: false },
  ];
  const most = Math.max(...rows.map((row) => row.bytes));
  return (
    <section aria-label="Bytes">
      <h3>
        {direction.encapsulationBytes} bytes in front of the packet
        <span class="badge good">{direction.savingPercent} % less than plain SRv6</span>
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
        <Mtu mtu={direction.mtu} />
        <Reallocation verdict={direction.doubleReallocation} />
      </ul>
    </section>
  );
}

function Mtu({ mtu }: { readonly mtu: Direction["mtu"] }) {
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
  return (
    <Verdict>
      Too big for{" "}
      {mtu.lackingLinks.map((lack) => `${lack.link} (MTU ${lack.mtuBytes}, needed ${lack.neededBytes})`).join(", ")}:
      packets of {mtu.innerBytes} bytes would be dropped. Raise the MTU or choose another path.
    </Verdict>
  );
}

function Reallocation({ verdict }: { readonly verdict: Direction["doubleReallocation"] }) {
  if (!verdict.twice) {
    return (
      <Verdict good>
        {verdict.node} pushes {verdict.headerBytes} bytes without reallocating the packet twice.
      </Verdict>
    );
  }
  return (
    <Verdict>
      A Linux headend before 6.14 would move each packet twice to push {verdict.headerBytes} bytes at {verdict.node}.
      {verdict.avoidedBy === undefined ? "" : ` Avoided by ${verdict.avoidedBy}.`}
    </Verdict>
  );
}

function Verdict({ good = false, children }: { readonly good?: boolean; readonly children: preact.ComponentChildren }) {
  return (
    <li class={good ? "good" : "warn"}>
      <span aria-hidden="true">{good ? "✓" : "!"}</span>
      <span>{children}</span>
    </li>
  );
}
