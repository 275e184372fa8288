// SPDX-License-Identifier: Apache-2.0
import { authorized, base, type News } from "./client";
import { EventParser } from "./sse";

/** What is told about the stream and what comes over it. */
export interface NewsListener {
  live(isLive: boolean): void;
  refused(): void;
  news<Name extends keyof News>(name: Name, data: News[Name]): void;
}

const FIRST_RETRY_MILLIS = 300;
const LONGEST_RETRY_MILLIS = 5_000;
/** The controller says something every five seconds; a connection this silent is dead although nobody closed it. */
const SILENCE_MILLIS = 12_000;
const UNAUTHORIZED = 401;

/** Follows the controller's news until aborted, over any number of connections. */
export async function follow(listener: NewsListener, stop: AbortSignal): Promise<void> {
  let retryMillis = FIRST_RETRY_MILLIS;
  while (!stop.aborted) {
    try {
      const outcome = await connection(listener, stop, () => {
        retryMillis = FIRST_RETRY_MILLIS;
      });
      if (outcome === "refused") {
        listener.refused();
        return;
      }
    } catch {
      // The controller is away; whatever the reason, the remedy is to ask again.
    }
    listener.live(false);
    await pause(retryMillis, stop);
    retryMillis = Math.min(2 * retryMillis, LONGEST_RETRY_MILLIS);
  }
}

async function connection(listener: NewsListener, stop: AbortSignal, opened: () => void): Promise<"refused" | "ended"> {
  const dead = new AbortController();
  const { headers, credentials } = authorized();
  let watchdog = setTimeout(() => dead.abort(), SILENCE_MILLIS);
  try {
    const response = await fetch(`${base}/events`, {
      headers: { ...headers, Accept: "text/event-stream" },
      credentials,
      signal: AbortSignal.any([stop, dead.signal]),
    });
    if (response.status === UNAUTHORIZED) {
      return "refused";
    }
    if (!response.ok || response.body === null) {
      return "ended";
    }
    opened();
    listener.live(true);
    const parser = new EventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        return "ended";
      }
      clearTimeout(watchdog);
      watchdog = setTimeout(() => dead.abort(), SILENCE_MILLIS);
      for (const event of parser.push(value)) {
        const name = event.name as keyof News;
        listener.news(name, JSON.parse(event.data) as News[typeof name]);
      }
    }
  } finally {
    clearTimeout(watchdog);
  }
}

function pause(millis: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    stop.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
