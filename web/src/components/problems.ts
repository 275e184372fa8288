// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../api/client";

/** Problems by the field of a form that they are about. */
export interface FieldProblems<Draft> {
  of(field: keyof Draft): readonly Problem[];
  /** The problems about nothing that the form has. */
  readonly other: readonly Problem[];
}

/** @param draft its fields are the form's, named as in the body that is posted */
export function byField<Draft extends object>(problems: readonly Problem[], draft: Draft): FieldProblems<Draft> {
  return {
    of: (field) => problems.filter((problem) => fieldOf(problem) === field),
    other: problems.filter((problem) => !Object.hasOwn(draft, fieldOf(problem))),
  };
}

/** The first part of a pointer, such as "nodes" of "/nodes/3". */
function fieldOf({ field }: Problem): string {
  return field.split("/")[1] ?? "";
}
