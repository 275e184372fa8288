// SPDX-License-Identifier: Apache-2.0
import { authorized, base, heed, type News } from "./client";
import { EventParser, type ServerEvent } from "./sse";
import { strings } from "./strings";

/** Notifications about the stream and its events. */
export interface NewsListener {
  /** @param why there is no stream although the controller answers; "" otherwise */
  live(isLive: boolean, why: string): void;
  news<Name extends keyof News>(name: Name, data: News[Name]): void;
}

const FIRST_RETRY_MILLIS = 300;
const LONGEST_RETRY_MILLIS = 5_000;
/** The controller says something every five seconds; a connection this silent is dead although it was not closed. */
const SILENCE_MILLIS = 12_000;
const SERVICE_UNAVAILABLE = 503;

/** Follows the controller's news until aborted, over any number of connections. */
export async function follow(listener: NewsListener, stop: AbortSignal): Promise<void> {
  let retryMillis = FIRST_RETRY_MILLIS;
  while (!isOver(stop)) {
    let why = "";
    try {
      why = await connection(listener, stop, () => {
        retryMillis = FIRST_RETRY_MILLIS;
      });
    } catch {
      // The controller is away; whatever the reason, the remedy is to ask again.
    }
    if (isOver(stop)) {
      return;
    }
    listener.live(false, why);
    await pause(retryMillis, stop);
    retryMillis = Math.min(2 * retryMillis, LONGEST_RETRY_MILLIS);
  }
}

/** Asked anew: it may have ended since the last look. */
function isOver(stop: AbortSignal): boolean {
  return stop.aborted;
}

/** One stream, until it ends. Returns why there was none, or "". */
async function connection(listener: NewsListener, stop: AbortSignal, steady: () => void): Promise<string> {
  const dead = new AbortController();
  const { headers, credentials } = authorized();
  let watchdog = setTimeout(() => dead.abort(), SILENCE_MILLIS);
  // One that ends as soon as it is there is no reason to ask more often.
  const settled = setTimeout(steady, LONGEST_RETRY_MILLIS);
  try {
    const response = await fetch(`${base}/events`, {
      headers: { ...headers, Accept: "text/event-stream" },
      credentials,
      signal: AbortSignal.any([stop, dead.signal]),
    });
    if (!response.ok || response.body === null) {
      heed(response, { headers: new Headers(headers) });
      return response.status === SERVICE_UNAVAILABLE ? strings.tooManyStreams : strings.noStream(response.status);
    }
    listener.live(true, "");
    const parser = new EventParser();
    const hear = hearing(listener);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        return "";
      }
      clearTimeout(watchdog);
      watchdog = setTimeout(() => dead.abort(), SILENCE_MILLIS);
      for (const event of parser.push(value)) {
        hear(event);
      }
    }
  } finally {
    clearTimeout(settled);
    clearTimeout(watchdog);
  }
}

/**
 * Reports each event. One that this page does not understand, such as a later controller's or half of one, ends
 * nothing; but as something was missed, everything is looked at anew, once per connection.
 */
function hearing(listener: NewsListener): (event: ServerEvent) => void {
  let missed = false;
  return ({ name, data }) => {
    try {
      const known = name as keyof News;
      listener.news(known, JSON.parse(data) as News[typeof known]);
    } catch {
      if (!missed) {
        missed = true;
        listener.news("network", {});
      }
    }
  };
}

function pause(millis: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    stop.addEventListener("abort", done);
  });
}
