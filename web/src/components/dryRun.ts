// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { isOvertaken, Refused, type Problem } from "../api/client";
import { refusalTitle, whyOf, type Doing } from "../api/why";
import type { NetworkView } from "../model/network";
import type { Thing } from "../state/collection";
import type { Intents } from "../state/intents";
import type { Contested } from "../model/rival";
import { looks, network } from "../state/network";
import { useLeftDraft } from "./drafts";
import { byField, type FieldProblems } from "./problems";
import { useRivals, type Rivals } from "./rivals";
import { useSending } from "./sending";

/** The plan of a draft, as far as the controller was asked. */
export type Tried<Plan> =
  | { readonly is: "nothing" }
  /** The plan of the draft before stays in view until there is a new one. */
  | { readonly is: "asking"; readonly plan: Plan | undefined }
  | { readonly is: "plan"; readonly plan: Plan }
  | {
      readonly is: "refused";
      readonly title: string;
      readonly problems: readonly Problem[];
      readonly why: string;
    };

/** The kind of intent that is made in a form. */
interface Making<Draft, Intent, Plan, Status extends Thing & Contested> {
  readonly intents: Pick<Intents<Intent, Plan, Status>, "dryRun" | "submit"> &
    Partial<Pick<Intents<Intent, Plan, Status>, "look" | "said">> & {
      readonly all?: { readonly value: ReadonlyMap<string, Status> | undefined };
    };
  /** The form before any input; problems stand at the fields that it has. */
  readonly empty: Draft;
  /** The intent of a draft; undefined while it is not complete. */
  readonly intentOf: (draft: Draft) => Intent | undefined;
  readonly installed: (status: Status) => void;
  /** The name that it gets, which another may have; the draft's, unless it says otherwise. */
  readonly nameOf?: (draft: Draft) => string;
}

/** Another user's change of the form's subject, since its name was typed. */
export interface Contest {
  readonly name: string;
  readonly did: "made" | "changed" | "deleted";
  /** The present state; undefined if it was deleted. */
  readonly theirs: object | undefined;
  readonly mine: object | undefined;
  /** Leads to theirs; the draft stays. */
  readonly take: () => void;
  /** Installs mine in the place of the one shown as theirs. */
  readonly overrule: () => void;
}

/** A field of a draft, as the elements of a form take it: its value, its problems, where its changes go. */
export interface Drafted<Value> {
  readonly value: Value;
  readonly problems: readonly Problem[];
  readonly onValue: (value: Value) => void;
}

/** A draft, the controller's plan for it, and the function to install it. */
export interface DryRun<Draft, Plan> {
  readonly draft: Draft;
  readonly change: (to: (before: Draft) => Draft) => void;
  readonly set: (fields: Partial<Draft>) => void;
  /** One field by its name. */
  readonly field: <Name extends keyof Draft>(name: Name) => Drafted<Draft[Name]>;
  readonly startOver: () => void;
  readonly tried: Tried<Plan>;
  /** The plan to show: while the controller is asked about a draft, that of the one before. */
  readonly plan: Plan | undefined;
  readonly problems: FieldProblems<Draft>;
  /** An intent of this name was there when it was typed: installing replaces it. */
  readonly replaces: string | undefined;
  /** Nothing is installed as long as there is one that the person did not decide about. */
  readonly contest: Contest | undefined;
  readonly install: () => void;
  readonly installing: boolean;
}

/** A form whose draft is a plan before it is installed. */
export function useDryRun<Draft extends object, Intent extends object, Plan, Status extends Thing & Contested>(
  making: Making<Draft, Intent, Plan, Status>,
): DryRun<Draft, Plan> {
  const { intents, empty, intentOf, installed } = making;
  const [draft, setDraft, forget] = useLeftDraft(empty);
  const intent = intentOf(draft);
  const [tried, setTried] = useTried(draft, intent && ((stop) => intents.dryRun(intent, stop)));
  const { under, send } = useSending();
  const rivals = useRivals(nameIn(draft, making.nameOf), intents.all?.value, intents.look?.bind(intents));
  const install = (): void => {
    if (intent !== undefined) {
      send(
        async () => {
          const status = await rivals.judged(() => intents.submit(intent, rivals.only()));
          forget(); // also if its maker went elsewhere meanwhile
          return status;
        },
        installed,
        (error) => {
          if (!isOvertaken(error) || intents.look === undefined) {
            setTried(refusedBy(error, "changing"));
          }
        },
      );
    }
  };
  const problems = byField(tried.is === "refused" ? tried.problems : [], empty);
  const set = (fields: Partial<Draft>): void => setDraft((before) => ({ ...before, ...fields }));
  return {
    draft,
    change: (to) => setDraft((before) => to(before)),
    set,
    field: (name) => ({
      value: draft[name],
      problems: problems.of(name),
      onValue: (value) => set({ [name]: value } as unknown as Partial<Draft>),
    }),
    startOver: () => setDraft(empty),
    tried,
    plan: planIn(tried),
    problems,
    replaces: tried.is === "plan" && rivals.seen !== undefined ? rivals.name : undefined,
    // An intent that this form itself is making is no rival.
    contest: under ? undefined : contestOf(rivals, intent, intents.said?.bind(intents), installed, install),
    install,
    installing: under,
  };
}

function nameIn<Draft extends object>(draft: Draft, nameOf?: (draft: Draft) => string): string | undefined {
  const name = nameOf?.(draft) ?? (draft as { readonly name?: unknown }).name;
  return typeof name === "string" && name !== "" ? name : undefined;
}

function contestOf<Status>(
  { rival, accept }: Rivals<Status>,
  mine: object | undefined,
  said: ((status: Status) => object) | undefined,
  show: (status: Status) => void,
  install: () => void,
): Contest | undefined {
  if (rival === undefined) {
    return undefined;
  }
  const { name, did, theirs } = rival;
  return {
    name,
    did,
    theirs: theirs && said?.(theirs),
    mine,
    take: () => theirs !== undefined && show(theirs),
    overrule: () => {
      accept();
      install();
    },
  };
}

/** The pause in typing or clicks before the controller is asked. */
const CALM_MILLIS = 150;

function refusedBy(error: unknown, doing: Doing): Tried<never> {
  return {
    is: "refused",
    title: refusalTitle(error),
    problems: error instanceof Refused ? error.problems : [],
    why: whyOf(error, doing),
  };
}

function planIn<Plan>(tried: Tried<Plan>): Plan | undefined {
  return tried.is === "plan" || tried.is === "asking" ? tried.plan : undefined;
}

interface Answered<Plan> {
  readonly draft: unknown;
  readonly circumstances: string;
  readonly tried: Tried<Plan>;
}

/**
 * Asks for the plan of a draft, a moment after it or the network changed. An answer counts for the draft and the
 * network that were asked about; until the next is here, it is a picture to look at and nothing to install.
 *
 * @param ask undefined if the draft is not complete
 */
function useTried<Plan>(
  draft: unknown,
  ask: ((stop: AbortSignal) => Promise<Plan>) | undefined,
): [Tried<Plan>, (tried: Tried<Plan>) => void] {
  const [last, setLast] = useState<Answered<Plan>>();
  const circumstances = `${looks.value} ${shapeOf(network.value)}`;
  const answer = (tried: Tried<Plan>): void => setLast({ draft, circumstances, tried });
  useEffect(() => {
    if (ask === undefined) {
      setLast(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const unlessStopped = (tried: Tried<Plan>): void => {
      if (!stop.signal.aborted) {
        answer(tried);
      }
    };
    const timer = setTimeout(() => {
      ask(stop.signal).then(
        (plan) => unlessStopped({ is: "plan", plan }),
        (error: unknown) => unlessStopped(refusedBy(error, "asking")),
      );
    }, CALM_MILLIS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [draft, circumstances]);
  if (ask === undefined) {
    return [{ is: "nothing" }, answer];
  }
  if (last !== undefined && last.draft === draft && last.circumstances === circumstances) {
    return [last.tried, answer];
  }
  return [{ is: "asking", plan: last && planIn(last.tried) }, answer];
}

/** The parts of the network that a plan depends on, as far as they are seen here. */
function shapeOf(view: NetworkView): string {
  const links = [...view.links.values()].map((link) => `${link.id}${link.up ? "" : " down"}`);
  return [...view.nodes.keys(), ...links, ...view.hosts.keys()].join();
}
