// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../../api/client";
import { TextField } from "../../components/Fields";
import { besides, within } from "./draft";
import type { TunnelDraft } from "./tunnel";
import { strings } from "./strings";

interface Props {
  /** The field of the session, as problems name it. */
  readonly name: "uplink" | "downlink";
  readonly endpoint: string;
  readonly teid: string;
  readonly tunnel: TunnelDraft;
  readonly problems: readonly Problem[];
  readonly onTunnel: (tunnel: TunnelDraft) => void;
}

/** Where GTP-U is sent to: an address and a TEID there. */
export function TunnelFields({ name, endpoint, teid, tunnel, problems, onTunnel }: Props) {
  return (
    <div class="pair">
      <TextField
        label={endpoint}
        value={tunnel.endpoint}
        placeholder={strings.address}
        problems={besides(problems, name, ["teid"])}
        onValue={(text) => onTunnel({ ...tunnel, endpoint: text })}
      />
      <TextField
        label={teid}
        value={tunnel.teid}
        placeholder={strings.exampleTeid}
        problems={within(problems, name, "teid")}
        onValue={(text) => onTunnel({ ...tunnel, teid: text })}
      />
    </div>
  );
}
