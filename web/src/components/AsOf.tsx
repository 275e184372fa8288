// SPDX-License-Identifier: Apache-2.0
import type { Moment } from "../api/client";
import { agoText, clockText } from "../model/history";
import { past, showNow } from "../state/past";
import "./asOf.css";

/** Says at the top of a page that all of it is of then. */
export function AsOf({ moment, without }: { readonly moment: Moment; readonly without: string }) {
  return (
    <div class="asof" role="note">
      <p>
        <b>As of {clockText(moment.at)}</b>, {agoText(moment.secondsAgo)} when you asked. {without}
      </p>
      <button type="button" class="quiet" onClick={showNow}>
        Show now
      </button>
    </div>
  );
}

/** Says at the top of a page of which nothing is kept that it is of now, though the map is not. */
export function OfNow() {
  return past.value === undefined ? null : (
    <div class="asof" role="note">
      <p>
        <b>This page is of now.</b> What it shows is not kept, so it cannot be of the time that the map shows.
      </p>
    </div>
  );
}
