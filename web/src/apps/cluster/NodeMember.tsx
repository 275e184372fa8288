// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import { cluster, several } from "./cluster";
import { leaderOf } from "./shares";
import { strings } from "./strings";

/** Which member acts for a node; of a controller alone nothing. */
export function NodeMember({ node }: { readonly node: string }) {
  const told = cluster.value;
  if (told === undefined || !several.value) {
    return null;
  }
  const leader = leaderOf(told, node);
  return (
    <>
      <dt>{strings.programmedBy}</dt>
      <dd>
        {leader === undefined ? (
          <span class="nobody">{strings.noMemberForNode}</span>
        ) : (
          <a href={addressOf("cluster", leader)}>{leader}</a>
        )}
      </dd>
    </>
  );
}
