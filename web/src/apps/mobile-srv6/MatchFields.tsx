// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../../api/client";
import { Problems, TextField } from "../../components/Fields";
import { besides, NO_MATCH, within, type MatchDraft } from "./draft";
import { strings } from "./strings";

interface Props {
  readonly matches: readonly MatchDraft[];
  readonly problems: readonly Problem[];
  readonly onMatches: (matches: readonly MatchDraft[]) => void;
}

const FIELDS: readonly { readonly name: keyof MatchDraft; readonly label: string; readonly example: string }[] = [
  { name: "teid", label: strings.teids, example: "0x1000-0x1fff" },
  { name: "qfi", label: strings.qfis, example: "5, 9" },
  { name: "ue", label: strings.ues, example: "10.60.0.0/16" },
  { name: "gnb", label: strings.gnbs, example: "192.0.2.0/28" },
  { name: "dscp", label: strings.dscp, example: "EF" },
];

/** The packets that the slice takes without a session: they fit one of these matches, in all given fields. */
export function MatchFields({ matches, problems, onMatches }: Props) {
  const change = (index: number, fields: Partial<MatchDraft>): void =>
    onMatches(matches.map((match, i) => (i === index ? { ...match, ...fields } : match)));
  return (
    <>
      {matches.map((match, i) => (
        <fieldset class="match" key={i}>
          <legend>{strings.matchNumber(i + 1)}</legend>
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
              {strings.removeMatch(i + 1)}
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
          {matches.length === 0 ? strings.addMatchForPacketsWithout : strings.addAnotherMatch}
        </button>
      </div>
    </>
  );
}
