// SPDX-License-Identifier: Apache-2.0
import { expect, vi } from "vitest";

/** How a request is answered: with a status and a JSON body, or not at all. */
export type Answer = { readonly status: number; readonly body: unknown } | "no connection";

/** A request that waits for the test. */
export interface Held {
  readonly request: Request;
  release(answer?: Answer): void;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const noSuch = (what: string): Answer => ({
  status: 404,
  body: { title: "no", errors: [{ code: "UNKNOWN", field: "", message: `there is no ${what}`, remedy: "" }] },
});

/**
 * A controller for tests of how the page handles its answers. Answers are set by "METHOD /path"; a request can be held
 * until the test lets it go. Other requests are refused as a controller does that is starting still.
 */
export class FakeController {
  readonly requests: Request[] = [];
  readonly answers = new Map<string, Answer>();
  /** The answer of /events, if not a stream. */
  events: Answer | undefined;
  private readonly holding = new Map<string, (held: Held) => void>();
  private stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    vi.stubGlobal("document", { baseURI: "http://controller/srv6/ui/" });
    vi.stubGlobal("fetch", (input: Request | string, init?: RequestInit) => this.serve(new Request(input, init)));
  }

  /** Settles when the page listens to the news. */
  async listening(): Promise<void> {
    await vi.waitFor(() => expect(this.stream).toBeDefined());
  }

  /** The next such request waits. */
  hold(what: string): Promise<Held> {
    return new Promise((resolve) => this.holding.set(what, resolve));
  }

  /** Sends one of the controller's news to the page. */
  tell(name: string, data: unknown): void {
    this.stream?.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
  }

  endStream(): void {
    this.stream?.close();
    this.stream = undefined;
  }

  count(what: string): number {
    return this.requests.filter((request) => nameOf(request) === what).length;
  }

  private serve(request: Request): Promise<Response> {
    this.requests.push(request);
    const name = nameOf(request);
    if (name === "GET /events" && this.events === undefined) {
      return Promise.resolve(this.open(request));
    }
    const answer = (name === "GET /events" ? this.events : this.answers.get(name)) ?? { status: 404, body: "" };
    const held = this.holding.get(name);
    if (held === undefined) {
      return response(answer);
    }
    this.holding.delete(name);
    return new Promise((resolve, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason as Error));
      held({ request, release: (other) => resolve(response(other ?? answer)) });
    });
  }

  private open(request: Request): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.stream = controller;
        request.signal.addEventListener("abort", () => {
          if (this.stream === controller) {
            controller.error(request.signal.reason);
          }
        });
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
}

function nameOf(request: Request): string {
  return `${request.method} ${new URL(request.url).pathname.replace("/srv6", "")}`;
}

function response(answer: Answer): Promise<Response> {
  return answer === "no connection"
    ? Promise.reject(new TypeError("fetch failed"))
    : Promise.resolve(
        new Response(
          answer.status === 204 ? null : typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body),
          { status: answer.status },
        ),
      );
}
