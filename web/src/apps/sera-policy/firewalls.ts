// SPDX-License-Identifier: Apache-2.0
import { answer } from "../../api/client";
import { Intents } from "../../state/intents";
import {
  client,
  type Counters,
  type Firewall,
  type FirewallPlan,
  type FirewallStatus,
  type Imported,
  type Log,
  type Packet,
  type Traced,
  type Version,
} from "./api";
import { strings } from "./strings";

export const firewalls = new Intents<Firewall, FirewallPlan, FirewallStatus>(strings.firewall, {
  all: () => answer(client.GET("/firewalls")),
  one: firewallNow,
  dryRun: (firewall, signal) =>
    answer(
      client.POST("/firewalls", { params: { query: { dryRun: true } }, body: firewall, signal }),
    ) as Promise<FirewallPlan>,
  submit: (firewall, headers) =>
    answer(client.POST("/firewalls", { body: firewall, headers })) as Promise<FirewallStatus>,
  remove: (id, headers) => answer(client.DELETE("/firewalls/{id}", { params: { path: { id } }, headers })),
  said: (status) => status.firewall,
});

/** One firewall, with the findings about its rules. */
export function firewallNow(id: string): Promise<FirewallStatus> {
  return answer(client.GET("/firewalls/{id}", { params: { path: { id } } }));
}

/** The packets that its rules took until now. */
export function countersNow(id: string): Promise<Counters> {
  return answer(client.GET("/firewalls/{id}/counters", { params: { path: { id } } }));
}

/** Packets that its rules with log took last. */
export function logNow(id: string): Promise<Log> {
  return answer(client.GET("/firewalls/{id}/log", { params: { path: { id } } }));
}

export function versionsNow(id: string): Promise<Version[]> {
  return answer(client.GET("/firewalls/{id}/versions", { params: { path: { id } } }));
}

/** Makes the rules of an earlier version the next one. */
export async function rollBack(id: string, version: number): Promise<void> {
  await answer(
    client.POST("/firewalls/{id}/rollback", { params: { path: { id }, query: { version: String(version) } } }),
  );
  await firewalls.look(id);
}

export function trace(id: string, packet: Packet): Promise<Traced> {
  return answer(client.POST("/firewalls/{id}/trace", { params: { path: { id } }, body: packet }));
}

/** A text as ip6tables-save, iptables-save or nft print it, and where the firewall is to be. */
export interface Text {
  readonly format: string;
  readonly chain: string;
  readonly name: string;
  readonly node: string;
  readonly partial: boolean;
  readonly text: string;
}

/** The result of the text; nothing changes. */
export function readText(text: Text, signal: AbortSignal): Promise<Imported> {
  return imported(text, true, signal);
}

/** @throws Refused if it is not installed */
export async function importText(text: Text): Promise<FirewallStatus> {
  const { receipt } = await imported(text, false);
  if (receipt === undefined) {
    throw new Error(strings.noReceipt);
  }
  await firewalls.look(receipt.id);
  return receipt;
}

function imported(
  { text, format, chain, name, node, partial }: Text,
  dryRun: boolean,
  signal: AbortSignal | null = null,
): Promise<Imported> {
  return answer(
    client.POST("/firewalls/import", {
      params: { query: { format, chain, node, partial, dryRun, ...(name === "" ? {} : { name }) } },
      body: text,
      bodySerializer: (body: string) => body,
      headers: { "Content-Type": "text/plain" },
      signal,
    }),
  );
}
