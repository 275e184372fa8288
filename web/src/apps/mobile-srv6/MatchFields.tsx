// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../../api/client";
import { Problems, TextField } from "../../components/Fields";
import { besides, NO_MATCH, within, type MatchDraft } from "./draft";

interface Props {
  readonly matches: readonly MatchDraft[];
  readonly problems: readonly Problem[];
  readonly onMatches: (matches: readonly MatchDraft[]) => void;
}

const FIELDS: readonly { readonly name: keyof MatchDraft; readonly label: string; readonly example: string }[] = [
  { name: "teid", label: "TEIDs", example: "0x1000-0x1fff" },
  { name: "qfi", label: "QFIs", example: "5, 9" },
  { name: "ue", label: "UEs", example: "10.60.0.0/16" },
  { name: "gnb", label: "gNBs", example: "192.0.2.0/28" },
  { name: "dscp", label: "DSCP", example: "EF" },
];

/** The packets that the slice takes without a session: they fit one of these matches, in all given fields. */
export function MatchFields({ matches, problems, onMatches }: Props) {
  const change = (index: number, fields: Partial<MatchDraft>): void =>
    onMatches(matches.map((match, i) => (i === index ? { ...match, ...fields } : match)));
  return (
    <>
      {matches.map((match, i) => (
        <fieldset class="match" key={i}>
          <legend>Match {i + 1}: all that is given holds</legend>
          <div class="three">
            {FIELDS.map(({ name, label, example }) => (
              <TextField
                key={name}
                label={label}
                value={match[name]}
                placeholder={example}
                problems={within(problems, "match", String(i), name)}
                onValue={(value) => change(i, { [name]: value })}
              />
            ))}
            <button type="button" onClick={() => onMatches(matches.filter((_, at) => at !== i))}>
              Take match {i + 1} out
            </button>
          </div>
          <Problems
            problems={besides(
              within(problems, "match", String(i)),
              `match/${i}`,
              FIELDS.map(({ name }) => name),
            )}
          />
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => onMatches([...matches, NO_MATCH])}>
          {matches.length === 0 ? "Take packets without a session" : "Or another match"}
        </button>
      </div>
    </>
  );
}
