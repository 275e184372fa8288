// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { whyOf } from "../../api/why";
import { useAsked } from "../../components/Loaded";
import { useSending } from "../../components/sending";
import { counted } from "../../model/format";
import { mayWrite } from "../../state/session";
import { momentText } from "../../model/clock";
import { rollBack, versionsNow } from "./firewalls";
import { strings } from "./strings";

/** The former versions of the firewall; their rules can be taken back. */
export function Versions({ id, version }: { readonly id: string; readonly version: number }) {
  const versions = useAsked(() => versionsNow(id), [version]);
  const [why, setWhy] = useState("");
  const { under, send } = useSending();
  const earlier = versions.is === "here" ? versions.value.filter((one) => one.version !== version) : [];
  if (earlier.length === 0) {
    return null;
  }
  const back = (to: number): void =>
    send(
      () => rollBack(id, to),
      () => setWhy(""),
      (error) => setWhy(whyOf(error, "changing")),
    );
  return (
    <section aria-label={strings.versions}>
      <h3>{strings.earlierVersions}</h3>
      <ul class="entries">
        {earlier.map((one) => (
          <li key={one.version}>
            <span>
              {strings.versionRules(one.version, counted(one.firewall.rules.length, "rule"))}{" "}
              {one.at !== undefined && <span class="quiet">{momentText(one.at)}</span>}
            </span>
            {mayWrite("firewalls") && (
              <button type="button" aria-disabled={under} onClick={() => back(one.version)}>
                {strings.rollBackTo(one.version)}
              </button>
            )}
          </li>
        ))}
      </ul>
      {why !== "" && (
        <p class="trouble" role="alert">
          {why}
        </p>
      )}
    </section>
  );
}
