// SPDX-License-Identifier: Apache-2.0
import { useContext, useLayoutEffect } from "preact/hooks";
import { IntentList } from "../../components/IntentList";
import { LeavingLine } from "../../components/Leaving";
import { State } from "../../components/State";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import { isLeaving } from "../../model/leaving";
import { NOTHING, picture } from "../../state/picture";
import { Apps } from "../app";
import type { FirewallStatus } from "./api";
import { firewalls } from "./firewalls";
import { modeText } from "./text";
import { strings } from "./strings";

/** All firewalls, and those that nodes have built in. */
export function FirewallList() {
  const all = firewalls.all.value;
  const apps = useContext(Apps);
  useLayoutEffect(() => {
    picture.value = {
      ...NOTHING,
      stops: [...new Set([...(all?.values() ?? [])].map(({ firewall }) => firewall.node))],
    };
  }, [all]);
  return (
    <IntentList
      intents={firewalls}
      at="firewalls"
      title={strings.firewalls}
      one={strings.firewall}
      many={strings.things}
      add={["import", strings.importRules]}
      text={({ id, firewall }) => `${id} ${firewall.node}`}
      by={strings.nameOrNode}
      about={strings.about}
      card={(one) => <Card status={one} key={one.id} />}
    >
      <ul class="cards" aria-label={strings.builtInFirewalls}>
        {apps.map(({ id, BuiltInFirewall }) => BuiltInFirewall !== undefined && <BuiltInFirewall key={id} />)}
      </ul>
    </IntentList>
  );
}

function Card({ status }: { readonly status: FirewallStatus }) {
  const { firewall } = status;
  return (
    <li>
      <a class={`card ${status.state === "FAILED" ? "attention" : ""}`} href={addressOf("firewalls", status.id)}>
        <span class="title">{status.id}</span>
        <State state={status.state} />
        <span class="line">
          {strings.at(firewall.node)} <span class="quiet">{modeText(firewall)}</span>
        </span>
        <span class="line quiet">
          {strings.rulesAndVersion(counted(firewall.rules.length, "rule"), status.version)}
        </span>
        {isLeaving(status) && <LeavingLine troubles={status.troubles} />}
      </a>
    </li>
  );
}
