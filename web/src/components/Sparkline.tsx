// SPDX-License-Identifier: Apache-2.0
import { seriesText, spanOf, sparkPath, valueText, type Values } from "../model/history";
import "./sparkline.css";
import { strings } from "./strings";

const WIDTH = 96;
const HEIGHT = 20;

/** The last hour of a quantity in a line of text's height, in words for users who do not see it. */
export function Sparkline({ quantity, values }: { readonly quantity: string; readonly values: Values }) {
  const text = seriesText(quantity, values);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={text}>
      <title>{text}</title>
      <path d={sparkPath(values, WIDTH, HEIGHT - 2)} transform="translate(0 1)" />
    </svg>
  );
}

/** The line with its youngest value, or its largest if the youngest is not known; nothing if nothing was measured. */
export function Spark({ quantity, values }: { readonly quantity: string; readonly values: Values | undefined }) {
  const span = values === undefined ? undefined : spanOf(values);
  if (values === undefined || span === undefined) {
    return null;
  }
  return (
    <span class="sparks">
      <Sparkline quantity={quantity} values={values} />
      <small>
        {span.now === undefined ? strings.upTo(valueText(quantity, span.max)) : valueText(quantity, span.now)}
      </small>
    </span>
  );
}
