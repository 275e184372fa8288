// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from "@preact/signals";
import { isGone, type News } from "../api/client";
import { mayMend, whyOf } from "../api/why";
import { Errand } from "./errand";
import { onNews } from "./network";
import { session } from "./session";

/** Whatever has an id. */
export interface Thing {
  readonly id: string;
}

/** The questions that a collection asks. */
export interface Questions<T> {
  all(): Promise<readonly T[]>;
  /** @throws Refused with 404 if there is none */
  one(id: string): Promise<T>;
}

interface Heard<T> {
  readonly question: number;
  /** Undefined if it is gone. */
  readonly now: T | undefined;
}

/** More changes at once than this are cheaper to ask for together. */
const FEW = 20;

/**
 * The intents of one kind, kept in step with the controller. News report that something happened to an intent, not its
 * state, so each is a reason to ask.
 *
 * Answers may overtake each other, and a late one must not bring back a deleted intent. So questions are numbered, and
 * for each intent the answer to the youngest question counts: one that was asked before is dropped. So questions are
 * numbered, and of each intent the answer to the youngest question counts: one that was asked before is dropped. An
 * intent that was not asked for singly is as old as the last list.
 */
export class Collection<T extends Thing> {
  /** By id; undefined until the first list is here. */
  readonly all = signal<ReadonlyMap<string, T> | undefined>(undefined);
  /** Why there is no list; "" if there is one, or it is on its way. */
  readonly trouble = signal("");
  private question = 0;
  private pending = 0;
  /** The youngest question whose answer was a list, or that is older than every question under way. */
  private answered = 0;
  /** The answers about single intents by younger questions. */
  private readonly heard = new Map<string, Heard<T>>();
  private readonly list = new Errand(() => this.askAll());

  constructor(
    private readonly kind: string,
    private readonly questions: Questions<T>,
  ) {
    onNews((name, data) => this.hear(name, data));
    effect(() => {
      if (session.value === undefined) {
        this.clear();
      }
    });
  }

  private hear(name: string, data: unknown): void {
    if (name === "network") {
      this.list.want();
    } else if (name === "intents") {
      const { many, changed, removed } = data as News["intents"];
      this.lookAt([...changed, ...removed], many);
    } else if (name === "reports") {
      this.lookAt((data as News["reports"]).reports, false);
    }
  }

  private lookAt(intents: readonly { readonly kind: string; readonly id: string }[], many: boolean): void {
    const ids = new Set(intents.filter((one) => one.kind === this.kind).map((one) => one.id));
    if (many || ids.size > FEW) {
      this.list.want();
    } else {
      ids.forEach((id) => void this.look(id));
    }
  }

  /**
   * Asks for one intent. An intent that is refused for any reason but that it is gone is asked for with the whole list.
   */
  async look(id: string): Promise<void> {
    await this.ask(async (question) => {
      try {
        this.take(id, { question, now: await this.questions.one(id) });
      } catch (error) {
        if (isGone(error)) {
          this.take(id, { question, now: undefined });
        } else {
          this.list.want();
        }
      }
    });
  }

  /**
   * After a removal: an intent that was gone already is removed; one that waits for a node is still there, in a state
   * that says so.
   */
  protected async removed(id: string, removal: Promise<unknown>): Promise<void> {
    try {
      await removal;
    } catch (error) {
      if (!isGone(error)) {
        throw error;
      }
    }
    await this.look(id);
  }

  private askAll(): Promise<boolean> {
    return this.ask(async (question) => {
      try {
        this.takeAll(question, await this.questions.all());
        this.trouble.value = "";
        return true;
      } catch (error) {
        this.trouble.value = whyOf(error);
        return !mayMend(error);
      }
    });
  }

  /** Numbers a question. While none is under way, no answer can be late. */
  private async ask<A>(task: (question: number) => Promise<A>): Promise<A> {
    this.pending++;
    try {
      return await task(++this.question);
    } finally {
      if (--this.pending === 0) {
        this.answered = this.question;
        this.heard.clear();
      }
    }
  }

  private take(id: string, heard: Heard<T>): void {
    if (heard.question > this.answered && heard.question > (this.heard.get(id)?.question ?? 0)) {
      this.heard.set(id, heard);
      this.all.value &&= changed(this.all.value, id, heard.now);
    }
  }

  private takeAll(question: number, list: readonly T[]): void {
    if (question > this.answered) {
      this.answered = question;
      const younger = [...this.heard].filter(([, one]) => one.question > question);
      const all: ReadonlyMap<string, T> = new Map(list.map((one) => [one.id, one]));
      this.all.value = younger.reduce((map, [id, { now }]) => changed(map, id, now), all);
    }
  }

  /** Forgets everything, also requests on their way. */
  private clear(): void {
    this.list.drop();
    this.answered = this.question;
    this.heard.clear();
    this.trouble.value = "";
    this.all.value = undefined;
  }
}

function changed<T>(map: ReadonlyMap<string, T>, id: string, now: T | undefined): ReadonlyMap<string, T> {
  const next = new Map(map);
  if (now === undefined) {
    next.delete(id);
  } else {
    next.set(id, now);
  }
  return next;
}
