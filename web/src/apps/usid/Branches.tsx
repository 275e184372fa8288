// SPDX-License-Identifier: Apache-2.0
import { addressOf } from "../../model/address";
import type { Direction } from "./api";
import { verdictText } from "./text";
import { strings } from "./strings";

/** The verdicts on packets at the firewalls on the path: all of it is walked, and drawn where it leaves the walk. */
export function Branches({ of }: { readonly of: NonNullable<Direction["branches"]> }) {
  if (of.length === 0) {
    return null;
  }
  return (
    <section aria-label={strings.firewallsOnThePath}>
      <h3>{strings.firewalls}</h3>
      <ul class="entries">
        {of.map(({ node, destinationAddress, verdict, rules, hops }) => (
          <li key={`${node} ${destinationAddress} ${verdict}`}>
            <span>
              <a href={addressOf("nodes", "node", node)}>{node}</a> <b>{verdictText(verdict)}</b>{" "}
              <span class="quiet">{strings.byRules(namesText(rules))}</span>
            </span>
            {verdict !== "drop" && (
              <span class="counter">
                {hops
                  .map((hop) => hop.node)
                  .filter((name, i, all) => name !== all[i - 1])
                  .join(" → ")}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const NAMED = 5;

/** The first few of thousands of rules. */
function namesText(rules: readonly string[]): string {
  return rules.length <= NAMED
    ? rules.join(", ")
    : strings.andMore(rules.slice(0, NAMED).join(", "), rules.length - NAMED);
}
