// SPDX-License-Identifier: Apache-2.0
import { answer, northbound } from "../api/client";
import { partsOf, type Measured } from "../model/history";
import { useAsked, useEvery } from "./Loaded";

/** A value is a minute's average: it need not be asked for more often. */
const LOOK_MILLIS = 20_000;
const POINTS = 60;

const NONE: ReadonlyMap<string, Measured> = new Map();

/** The last hour of things, such as "policy:gold", by their names; of which nothing is known, or not yet, there is none. */
export function useHistory(names: readonly string[]): ReadonlyMap<string, Measured> {
  const asked = useAsked(() => historyOf(names), [names.join(), useEvery(LOOK_MILLIS)]);
  return asked.is === "here" ? asked.value : NONE;
}

async function historyOf(names: readonly string[]): Promise<ReadonlyMap<string, Measured>> {
  const parts = await Promise.all(
    partsOf(names).map((part) =>
      answer(northbound.GET("/history", { params: { query: { of: part.join(), points: String(POINTS) } } })),
    ),
  );
  return new Map(
    parts.flatMap(({ things }) =>
      things.map(({ of, series }) => [of, new Map(series.map(({ quantity, values }) => [quantity, values]))] as const),
    ),
  );
}
