// SPDX-License-Identifier: Apache-2.0
import { quantityText } from "../model/history";
import { Spark } from "./Sparkline";
import { useHistory } from "./history";
import { strings } from "./strings";

/** The measurements of a thing in the last hour, a line for each quantity; nothing if there are none. */
export function HourFacts({ of }: { readonly of: string }) {
  const measured = [...(useHistory([of]).get(of) ?? [])].filter(([, values]) => values.some((value) => value !== null));
  if (measured.length === 0) {
    return null;
  }
  return (
    <section aria-label={strings.lastHour}>
      <h3>{strings.lastHour}</h3>
      <dl class="facts">
        {measured.flatMap(([quantity, values]) => [
          <dt key={quantity}>{quantityText(quantity)}</dt>,
          <dd key={`${quantity} line`}>
            <Spark quantity={quantity} values={values} />
          </dd>,
        ])}
      </dl>
    </section>
  );
}
