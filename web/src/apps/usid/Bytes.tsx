// SPDX-License-Identifier: Apache-2.0
import { Cost } from "../../components/Cost";
import type { Direction } from "./api";
import { strings } from "./strings";

/** The cost of the encapsulation beside the alternatives. */
export function Bytes({ direction }: { readonly direction: Direction }) {
  const rows = [
    { name: strings.formats.usid, bytes: direction.encapsulationBytes, own: true },
    { name: strings.formats.plain, bytes: direction.plainSrv6Bytes, own: false },
    { name: strings.formats.crh16, bytes: direction.crh16.bytes, own: false },
    { name: strings.formats.crh32, bytes: direction.crh32.bytes, own: false },
  ];
  return (
    <Cost rows={rows} mtu={direction.mtu} tooBig={strings.dropped} reallocation={direction.doubleReallocation}>
      {strings.overhead(direction.encapsulationBytes)}
      <span class="badge good">{strings.saving(direction.savingPercent)}</span>
    </Cost>
  );
}
