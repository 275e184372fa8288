// SPDX-License-Identifier: Apache-2.0
import { differences } from "../model/differences";
import type { Contest } from "./dryRun";
import "./rival.css";

/** Another user's version of the same intent, beside the form; no typed text is lost. */
export function RivalView({ of, ready }: { readonly of: Contest; readonly ready: boolean }) {
  const { name, did, theirs, mine } = of;
  const rows = theirs === undefined || mine === undefined ? [] : differences(mine, theirs);
  return (
    <section class="rival" role="alert" aria-label="Somebody else was quicker">
      <p>
        <b>
          Somebody else {did} “{name}” meanwhile.
        </b>{" "}
        Nothing of yours was installed, and it stays in this form.
      </p>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
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
      {theirs !== undefined && mine !== undefined && rows.length === 0 && <p>It says what yours says.</p>}
      <div class="bar">
        {theirs !== undefined && (
          <button type="button" onClick={of.take}>
            Take theirs
          </button>
        )}
        <button type="button" class="danger" aria-disabled={!ready} onClick={() => ready && of.overrule()}>
          {theirs === undefined ? "Make it anew" : "Replace it all the same"}
        </button>
      </div>
    </section>
  );
}
