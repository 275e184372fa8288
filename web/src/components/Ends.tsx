// SPDX-License-Identifier: Apache-2.0
import { network } from "../state/network";
import { TextField } from "./Fields";
import type { FieldProblems } from "./problems";
import { strings } from "./strings";

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

interface Props {
  readonly draft: Draft;
  readonly problems: Pick<FieldProblems<Draft>, "of">;
  readonly set: (change: Partial<Draft>) => void;
}

/** The ends: hosts, addresses or prefixes. */
export function Ends({ draft, problems, set }: Props) {
  const hosts = [...network.value.hosts.keys()];
  return (
    <div class="pair">
      {(["from", "to"] as const).map((end) => (
        <TextField
          key={end}
          label={end === "from" ? strings.from : strings.to}
          value={draft[end]}
          placeholder={strings.hostAddressOrPrefix}
          options={hosts}
          problems={problems.of(end)}
          onValue={(value) => set({ [end]: value })}
        />
      ))}
    </div>
  );
}

/** The name of an intent. */
export function Name({ draft, problems, set }: Props) {
  return (
    <TextField
      label={strings.nameOptional}
      value={draft.name}
      placeholder={strings.generatedFromTheContent}
      problems={problems.of("name")}
      onValue={(name) => set({ name })}
    />
  );
}
