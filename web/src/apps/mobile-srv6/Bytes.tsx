// SPDX-License-Identifier: Apache-2.0
import { Cost } from "../../components/Cost";
import type { SliceWay } from "./api";
import { againstGtp } from "./text";
import { isWhole } from "./walk";

/** Bytes in front of the UE's packet against GTP-U. */
export function Bytes({ way }: { readonly way: SliceWay }) {
  const rows = [
    { name: isWhole(way) ? "SRv6 + GTP-U" : "SRv6", bytes: way.gtpBytes + way.moreThanGtpBytes, own: true },
    { name: "GTP-U", bytes: way.gtpBytes, own: false },
  ];
  return (
    <Cost rows={rows} mtu={way.mtu} tooBig="dropped, and their sender told" reallocation={way.doubleReallocation}>
      {way.encapsulationBytes} bytes of SRv6
      <span class={`badge ${way.moreThanGtpBytes <= 0 ? "good" : ""}`}>{againstGtp(way.moreThanGtpBytes)}</span>
    </Cost>
  );
}
