// SPDX-License-Identifier: Apache-2.0

/** Calls at the next frame; the returned function takes that back. */
export type NextFrame = (then: () => void) => () => void;

const onFrame: NextFrame = (then) => {
  const id = requestAnimationFrame(then);
  return () => cancelAnimationFrame(id);
};

/**
 * Does something with many things, so many of them per frame: a user who drags the map meanwhile waits for few, not for
 * all. The first are done at once. A new round takes the place of one that is under way.
 */
export class Paced<Item> {
  private takeBack: () => void = () => undefined;

  constructor(
    private readonly perFrame: number,
    private readonly act: (items: readonly Item[]) => void,
    private readonly nextFrame: NextFrame = onFrame,
  ) {}

  start(items: readonly Item[]): void {
    this.stop();
    this.act(items.slice(0, this.perFrame));
    const rest = items.slice(this.perFrame);
    if (rest.length > 0) {
      this.takeBack = this.nextFrame(() => this.start(rest));
    }
  }

  stop(): void {
    this.takeBack();
    this.takeBack = () => undefined;
  }
}
