// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { keep, look, NOTHING_SEEN, rivalOf, type Contested, type Seen } from "./rival";

const list = (...all: readonly (readonly [string, string, string?])[]): ReadonlyMap<string, Contested> =>
  new Map(all.map(([name, etag, state = "INSTALLED"]) => [name, { etag, state }]));

const typed = (name: string, there: ReadonlyMap<string, Contested> | undefined): Seen<Contested> =>
  keep<Contested>(NOTHING_SEEN, name, there);

describe("what there was of a name when it was typed", () => {
  it("stays what was seen when others change it", () => {
    const seen = typed("a", list(["a", "1"]));
    const now = list(["a", "2"]);
    expect(keep(seen, "a", now)).toBe(seen);
    expect(rivalOf(seen, now)).toEqual({ name: "a", did: "changed", theirs: { etag: "2", state: "INSTALLED" } });
  });

  it("is looked at anew with another name, and when the list comes", () => {
    const seen = typed("a", list(["a", "1"], ["b", "7"]));
    expect(keep(seen, "b", list(["b", "7"])).status?.etag).toBe("7");
    expect(keep(typed("a", undefined), "a", list(["a", "3"])).status?.etag).toBe("3");
  });

  it("is nobody's as long as nothing is known, or has no name", () => {
    expect(rivalOf(typed("a", undefined), list(["a", "1"]))).toBeUndefined();
    expect(rivalOf(keep<Contested>(NOTHING_SEEN, undefined, list()), list(["a", "1"]))).toBeUndefined();
  });
});

describe("somebody else", () => {
  it("made one where there was none", () => {
    expect(rivalOf(typed("a", list()), list(["a", "1"]))?.did).toBe("made");
  });

  it("deleted it, also where nodes still have some of it", () => {
    const seen = typed("a", list(["a", "1"]));
    expect(rivalOf(seen, list())).toEqual({ name: "a", did: "deleted", theirs: undefined });
    expect(rivalOf(seen, list(["a", "1", "REMOVING"]))?.did).toBe("deleted");
  });

  it("is not there when only its state is another", () => {
    expect(rivalOf(typed("a", list(["a", "1", "PENDING"])), list(["a", "1"]))).toBeUndefined();
    expect(rivalOf(typed("a", list(["a", "1", "REMOVING"])), list())).toBeUndefined();
  });

  it("is no rival any more when the person has seen what he made", () => {
    const now = list(["a", "2"]);
    expect(rivalOf(look("a", now), now)).toBeUndefined();
  });
});
