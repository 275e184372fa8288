// SPDX-License-Identifier: Apache-2.0
import type { Moment } from "../api/client";
import { clockText } from "../model/clock";
import { distanceText } from "../model/history";
import { controllerNow } from "../state/clock";
import { past, showNow } from "../state/past";
import "./asOf.css";
import { strings } from "./strings";

/** Says at the top of a page that all of it is of then. */
export function AsOf({ moment, without }: { readonly moment: Moment; readonly without: string }) {
  return (
    <div class="asof" role="note">
      <p>
        {strings.asOf(clockText(moment.at, controllerNow()), distanceText(moment.secondsAgo))} {without}
      </p>
      <button type="button" class="quiet" onClick={showNow}>
        {strings.returnToNow}
      </button>
    </div>
  );
}

/** Says at the top of a page of which nothing is kept that it is of now, though the map is not. */
export function OfNow() {
  return past.value === undefined ? null : (
    <div class="asof" role="note">
      <p>
        <b>{strings.currentState}</b> {strings.noHistory}
      </p>
    </div>
  );
}
