// SPDX-License-Identifier: Apache-2.0
import { useAsked, useEvery } from "../../components/Loaded";
import { addressOf } from "../../model/address";
import { nodeEdgeNow } from "./peers";
import { filterText } from "./text";
import { strings } from "./strings";

const LOOK_MILLIS = 5_000;

/** A node's edge filter in a line. */
export function NodeDrops({ node }: { readonly node: string }) {
  const edge = useAsked(() => nodeEdgeNow(node), [useEvery(LOOK_MILLIS)]);
  return edge.is !== "here" ? null : (
    <>
      <dt>{strings.title}</dt>
      <dd>
        <a href={addressOf("edge")}>{filterText(edge.value)}</a>
      </dd>
    </>
  );
}
