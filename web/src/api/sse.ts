// SPDX-License-Identifier: Apache-2.0

/** One server-sent event. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Takes apart a stream of server-sent events (HTML standard, 9.2.6) that arrives in pieces of any length. */
export class EventParser {
  private rest = "";

  /** The events that are complete with this piece; comments, which keep a connection alive, are none. */
  push(piece: string): readonly ServerEvent[] {
    const blocks = (this.rest + piece).split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap(parseBlock);
  }
}

function parseBlock(block: string): readonly ServerEvent[] {
  const lines = block.split("\n");
  const values = (field: string): string[] =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ""));
  const data = values("data");
  return data.length === 0 ? [] : [{ name: values("event")[0] ?? "message", data: data.join("\n") }];
}
