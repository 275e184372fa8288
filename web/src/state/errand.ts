// SPDX-License-Identifier: Apache-2.0

const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 30_000;

type State = "idle" | "running" | "wanted" | "dropped";

/**
 * Something that is asked of the controller whenever it may have changed. It never runs twice at a time; wanted while it
 * runs, it runs once more, so that its last answer is younger than the last reason to ask; where it failed and the same
 * question may succeed, it is asked again after a pause that grows.
 */
export class Errand {
  private state: State = "idle";
  private pauseMillis = FIRST_PAUSE_MILLIS;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param run resolves to false if it failed and should be tried again */
  constructor(private readonly run: () => Promise<boolean>) {}

  want(): void {
    clearTimeout(this.timer);
    if (this.state === "idle") {
      void this.start();
    } else {
      this.state = "wanted";
    }
  }

  /** If it is under way, it runs once more: its answer may be old already. */
  again(): void {
    if (this.state === "running") {
      this.state = "wanted";
    }
  }

  /** It does not run again until it is wanted again. */
  drop(): void {
    clearTimeout(this.timer);
    this.pauseMillis = FIRST_PAUSE_MILLIS;
    if (this.state !== "idle") {
      this.state = "dropped";
    }
  }

  private async start(): Promise<void> {
    this.state = "running";
    const done = await this.run();
    const meanwhile = this.state as State;
    this.state = "idle";
    if (done) {
      this.pauseMillis = FIRST_PAUSE_MILLIS;
    }
    if (meanwhile === "wanted") {
      this.want();
    } else if (meanwhile === "running" && !done) {
      this.timer = setTimeout(() => this.want(), this.pauseMillis);
      this.pauseMillis = Math.min(2 * this.pauseMillis, LONGEST_PAUSE_MILLIS);
    }
  }
}
