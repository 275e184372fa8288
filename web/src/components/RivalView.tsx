// SPDX-License-Identifier: Apache-2.0
import { differences } from "../model/differences";
import type { Contest } from "./dryRun";
import "./rival.css";
import { strings } from "./strings";

/** Another user's version of the same intent, beside the form; no typed text is lost. */
export function RivalView({ of, ready }: { readonly of: Contest; readonly ready: boolean }) {
  const { name, did, theirs, mine } = of;
  const rows = theirs === undefined || mine === undefined ? [] : differences(mine, theirs);
  return (
    <section class="rival" role="alert" aria-label={strings.conflictingChange}>
      <p>
        <b>{strings.conflict(name, did)}</b> {strings.nothingInstalled}
      </p>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">{strings.yourVersion}</th>
              <th scope="col">{strings.currentVersion}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.field}>
                <th scope="row">{row.field}</th>
                <td>{row.mine}</td>
                <td>{row.theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {theirs !== undefined && mine !== undefined && rows.length === 0 && <p>{strings.bothVersionsAreEqual}</p>}
      <div class="bar">
        {theirs !== undefined && (
          <button type="button" onClick={of.take}>
            {strings.useCurrentVersion}
          </button>
        )}
        <button type="button" class="danger" aria-disabled={!ready} onClick={() => ready && of.overrule()}>
          {theirs === undefined ? strings.createAgain : strings.replaceAnyway}
        </button>
      </div>
    </section>
  );
}
