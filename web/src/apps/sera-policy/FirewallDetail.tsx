// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { problemText } from "../../api/why";
import { Back } from "../../components/Back";
import { Leaving } from "../../components/Leaving";
import { useAsked, useEvery, Waiting } from "../../components/Loaded";
import { Missing, useWasThere } from "../../components/Missing";
import { Remove } from "../../components/Remove";
import { State } from "../../components/State";
import { Troubles } from "../../components/Troubles";
import { Warnings } from "../../components/Warnings";
import { addressOf } from "../../model/address";
import { counted } from "../../model/format";
import { isLeaving } from "../../model/leaving";
import { live, onNews } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import type { Counters, CountersNews, FirewallStatus } from "./api";
import { countersNow, firewallNow, firewalls } from "./firewalls";
import { Log } from "./Log";
import { Dropped, Rules } from "./Rules";
import { actionText, modeText } from "./text";
import { COUNTERS, countedOf, withCounted } from "./told";
import { Trace } from "./Trace";
import { Versions } from "./Versions";
import { strings } from "./strings";

/** As often as nodes count their ports, while there are no news. */
const LOOK_MILLIS = 2_000;
/** The interval for values without news: packets dropped beside the rules, and when a rule was hit last. */
const SELDOM_MILLIS = 10_000;

/** One firewall: its rules with their counters, the verdict on a packet, and its past. */
export function FirewallDetail({ id }: { readonly id: string }) {
  const known = firewalls.all.value?.get(id);
  const now = useAsked(() => firewallNow(id), [known?.state, known?.since, known?.version]);
  const status = now.is === "gone" ? undefined : now.is === "here" ? now.value : known;
  const was = useWasThere(status !== undefined);
  const node = status?.firewall.node;
  useLayoutEffect(() => {
    picture.value = node === undefined ? NOTHING : { ...NOTHING, selected: node };
  }, [node]);
  return (
    <>
      <Back app="firewalls" title={strings.firewalls} />
      {now.is === "gone" ? (
        <Missing one={strings.firewall} id={id} was={was} />
      ) : status === undefined ? (
        <Waiting what={strings.theFirewall} why={now.is === "failed" ? now.why : ""} />
      ) : (
        <Detail status={status} />
      )}
    </>
  );
}

function Detail({ status }: { readonly status: FirewallStatus }) {
  const { id, state, firewall } = status;
  return (
    <>
      <div class="bar">
        <h2>{id}</h2>
        <State state={state} />
        <Remove
          of="firewalls"
          id={id}
          state={state}
          etag={status.etag}
          remove={(etag) => firewalls.remove(id, etag)}
          gone={() => go("firewalls")}
        />
      </div>
      <p>
        {strings.at(firewall.node)} <span class="quiet">{modeText(firewall)}</span>
      </p>
      {status.errors.map((problem) => (
        <p class="trouble" key={problem.field + problem.message}>
          {problemText(problem)}
        </p>
      ))}
      {isLeaving(status) ? (
        <Leaving what={strings.firewall} troubles={status.troubles} />
      ) : (
        <>
          <Troubles of={status.troubles} />
          <Warnings of={status.warnings} />
          <Facts status={status} />
          <Counted status={status} />
          <Log id={id} firewall={firewall} key={id} />
          <Trace id={id} node={firewall.node} rules={firewall.rules} policies={status.policies} />
          <Versions id={id} version={status.version} />
        </>
      )}
    </>
  );
}

function Facts({ status: { firewall, sid, version, rows, policies } }: { readonly status: FirewallStatus }) {
  return (
    <dl class="facts">
      <dt>{strings.sid}</dt>
      <dd>
        <code>{sid ?? strings.noneNotInstalled}</code>
      </dd>
      <dt>{strings.version}</dt>
      <dd>
        {version} <span class="quiet">{strings.rowsAtNode(counted(rows, "table entry", "table entries"))}</span>
      </dd>
      <dt>{strings.policies}</dt>
      <dd>
        {policies.length === 0
          ? strings.none
          : policies.map((id) => (
              <a class="block" href={addressOf("policies", id)} key={id}>
                {id}
              </a>
            ))}
      </dd>
      <dt>{strings.defaultActionLabel}</dt>
      <dd>{actionText(firewall.default)}</dd>
      {Object.entries(firewall.groups ?? {}).map(([name, members]) => (
        <>
          <dt key={name}>{strings.group(name)}</dt>
          <dd>{members.join(", ")}</dd>
        </>
      ))}
    </dl>
  );
}

/** The rules, and the node's counters: by its notifications, else by asking it again and again. */
function Counted({ status }: { readonly status: FirewallStatus }) {
  const { id, version } = status;
  const [told, setTold] = useState(false);
  const every = useEvery(live.value && told ? SELDOM_MILLIS : LOOK_MILLIS);
  const read = useAsked(() => countersNow(id), [status.state, version, live.value, every]);
  const latest = read.is === "here" && read.value.version === version ? read.value : undefined;
  const [counts, setCounts] = useState<Counters | undefined>(undefined);
  useEffect(() => {
    setCounts(latest);
    setTold(latest?.live === true);
  }, [latest]);
  useEffect(
    () =>
      onNews((name, data) => {
        const counted = name === COUNTERS ? countedOf(data as CountersNews, id, version) : undefined;
        if (counted !== undefined) {
          setCounts((before) => before && withCounted(before, counted));
        }
      }),
    [id, version],
  );
  return (
    <>
      <Rules firewall={status.firewall} findings={status.findings ?? []} counts={counts} />
      {counts !== undefined && <Dropped counts={counts} />}
    </>
  );
}
