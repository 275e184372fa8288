// SPDX-License-Identifier: Apache-2.0
import { route } from "../../state/route";
import { FirewallDetail } from "./FirewallDetail";
import { FirewallList } from "./FirewallList";
import { ImportFirewall } from "./ImportFirewall";

/** "+" cannot be mistaken for a name: firewalls begin with a letter or a digit. */
export function FirewallsPanel() {
  const [id, what] = route.value.path;
  if (id === "+" && what === "import") {
    return <ImportFirewall />;
  }
  return id === undefined ? <FirewallList /> : <FirewallDetail key={id} id={id} />;
}
