// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { HELD, past } from "../state/past";
import { mayWrite } from "../state/session";
import { Back } from "./Back";
import type { DryRun } from "./dryRun";
import { Problems } from "./Fields";
import { RivalView } from "./RivalView";
import { strings } from "./strings";

interface Props<Draft, Plan> {
  readonly app: { readonly id: string; readonly title: string };
  readonly heading: string;
  /** The next step. */
  readonly hint: string;
  /** The hint is no next step but why there is none. */
  readonly stuck?: boolean;
  readonly run: DryRun<Draft, Plan>;
  readonly children: ComponentChildren;
}

const LOOKS = { nothing: "", asking: "asking", plan: "", refused: "refused" } as const;

/** Something that is made from fields, and may be installed once the controller has returned its plan. */
export function CreateForm<Draft, Plan>({ run, ...props }: Props<Draft, Plan>) {
  const { tried, installing, replaces, contest } = run;
  const possible = tried.is === "plan" && past.value === undefined && !installing;
  const ready = possible && contest === undefined;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (ready) {
      run.install();
    }
  };
  return (
    <>
      <Back app={props.app.id} title={props.app.title} />
      <h2>{props.heading}</h2>
      <p class={`hint ${props.stuck === true ? "refused" : LOOKS[tried.is]}`} role="status">
        {past.value !== undefined
          ? HELD
          : tried.is === "refused"
            ? tried.title
            : tried.is === "asking"
              ? strings.validating
              : props.hint}
      </p>
      <form class="create" onSubmit={submit} noValidate>
        {props.children}
        <Problems problems={run.problems.other} />
        {tried.is === "refused" && tried.problems.length === 0 && (
          <p class="trouble" role="alert">
            {tried.why}
          </p>
        )}
        {contest !== undefined && <RivalView of={contest} ready={possible} />}
        {replaces !== undefined && contest === undefined && (
          <p class="warning" role="status">
            {strings.replaces(replaces)}
          </p>
        )}
        <div class="bar">
          <button type="submit" class="primary" aria-disabled={!ready}>
            {installing ? strings.installing : replaces === undefined ? strings.install : strings.replace}
          </button>
          <button type="button" onClick={run.startOver}>
            {strings.reset}
          </button>
        </div>
      </form>
    </>
  );
}

/** In place of controls for users who may write. */
export function WritersOnly({
  app,
  what,
  children,
}: Pick<Props<never, never>, "app"> & { readonly what: string; readonly children: ComponentChildren }) {
  return mayWrite(app.id) ? (
    <>{children}</>
  ) : (
    <>
      <Back app={app.id} title={app.title} />
      <p class="trouble">{strings.readOnly(what)}</p>
    </>
  );
}
