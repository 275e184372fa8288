// SPDX-License-Identifier: Apache-2.0
import { useId } from "preact/hooks";
import type { Problem } from "../api/client";

/** The controller's problems with a field, and their remedies. */
export function Problems({
  problems,
  id,
}: {
  readonly problems: readonly Problem[] | undefined;
  readonly id?: string;
}) {
  if (problems === undefined || problems.length === 0) {
    return null;
  }
  return (
    <div class="problems" {...(id === undefined ? {} : { id })} role="alert">
      {problems.map((problem) => (
        <p key={problem.field + problem.message}>
          {problem.message}
          {problem.remedy !== "" && <span class="remedy">{problem.remedy}</span>}
        </p>
      ))}
    </div>
  );
}

export function isWrong(problems: readonly Problem[] | undefined): boolean {
  return problems !== undefined && problems.length > 0;
}

/** The element that has the problems of a field. */
export function problemsOf(field: string): string {
  return `${field}-problems`;
}

/** Reports to users who cannot see the colour of a field that it is wrong, and why. */
export function told(field: string, problems: readonly Problem[] | undefined) {
  return isWrong(problems)
    ? { "aria-invalid": true, "aria-describedby": problemsOf(field) }
    : { "aria-invalid": false };
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly options?: readonly string[];
  readonly problems: readonly Problem[] | undefined;
  readonly onValue: (value: string) => void;
}

export function TextField({ label, value, placeholder, options = [], problems, onValue }: TextProps) {
  const id = useId();
  return (
    <div class={`field ${isWrong(problems) ? "wrong" : ""}`}>
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        list={options.length > 0 ? `${id}-options` : undefined}
        {...told(id, problems)}
        onInput={(event) => onValue(event.currentTarget.value.trim())}
      />
      {options.length > 0 && (
        <datalist id={`${id}-options`}>
          {options.map((option) => (
            <option value={option} key={option} />
          ))}
        </datalist>
      )}
      <Problems problems={problems} id={problemsOf(id)} />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly problems: readonly Problem[] | undefined;
  readonly onValue: (value: Value) => void;
}

export function Choice<Value extends string>({ label, value, options, problems, onValue }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div class={`field ${isWrong(problems) ? "wrong" : ""}`}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        {...told(id, problems)}
        onChange={(event) => onValue(event.currentTarget.value as Value)}
      >
        {(Object.keys(options) as Value[]).map((one) => (
          <option value={one} key={one}>
            {options[one]}
          </option>
        ))}
      </select>
      <Problems problems={problems} id={problemsOf(id)} />
    </div>
  );
}
