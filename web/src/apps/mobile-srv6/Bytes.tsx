// SPDX-License-Identifier: Apache-2.0
import { Cost } from "../../components/Cost";
import type { SliceWay } from "./api";
import { againstGtp } from "./text";
import { isWhole } from "./walk";
import { strings } from "./strings";

/** Bytes in front of the UE's packet against GTP-U. */
export function Bytes({ way }: { readonly way: SliceWay }) {
  const rows = [
    {
      name: isWhole(way) ? strings.formats.whole : strings.formats.srv6,
      bytes: way.gtpBytes + way.moreThanGtpBytes,
      own: true,
    },
    { name: strings.formats.gtp, bytes: way.gtpBytes, own: false },
  ];
  return (
    <Cost rows={rows} mtu={way.mtu} tooBig={strings.tooBig} reallocation={way.doubleReallocation}>
      {strings.overhead(way.encapsulationBytes)}
      <span class={`badge ${way.moreThanGtpBytes <= 0 ? "good" : ""}`}>{againstGtp(way.moreThanGtpBytes)}</span>
    </Cost>
  );
}
