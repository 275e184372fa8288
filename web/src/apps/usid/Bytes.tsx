// SPDX-License-Identifier: Apache-2.0
import { Cost } from "../../components/Cost";
import type { Direction } from "./api";

/** The cost of the encapsulation beside the alternatives. */
export function Bytes({ direction }: { readonly direction: Direction }) {
  const rows = [
    { name: "uSID", bytes: direction.encapsulationBytes, own: true },
    { name: "plain SRv6", bytes: direction.plainSrv6Bytes, own: false },
    { name: "CRH-16", bytes: direction.crh16.bytes, own: false },
    { name: "CRH-32", bytes: direction.crh32.bytes, own: false },
  ];
  return (
    <Cost rows={rows} mtu={direction.mtu} tooBig="dropped" reallocation={direction.doubleReallocation}>
      {direction.encapsulationBytes} bytes in front of the packet
      <span class="badge good">{direction.savingPercent} % less than plain SRv6</span>
    </Cost>
  );
}
