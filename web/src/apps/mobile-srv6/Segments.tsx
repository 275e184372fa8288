// SPDX-License-Identifier: Apache-2.0
import { counted } from "../../model/format";
import { digitsOf } from "../../model/ipv6";
import type { SidFormat } from "../../model/container";
import { network } from "../../state/network";
import type { SliceWay } from "./api";
import { argumentsOf, ipv4Of, partsOf, teidText, type Part } from "./segments";
import { bearerOf, flowText, sentOf } from "./walk";
import { strings } from "./strings";

interface Props {
  readonly way: SliceWay;
  readonly format: SidFormat;
  /** Where the packet is: in which segment, and how many uSIDs of it are gone. */
  readonly at: { readonly segment: number; readonly consumed: number };
}

const HUES = 6;
/** A short piece has a name, too. */
const NAME_ROOM = 4;

/** The segments of the packet that is walked, as cells; of the one with arguments these, too. */
export function Segments({ way, format, at }: Props) {
  const sent = sentOf(way);
  const bearer = bearerOf(way);
  const block = blockOf(way, format);
  let place = 0;
  return (
    <div class="containers">
      {sent.map((sid, i) => {
        const has = i === bearer && way.sample !== undefined && way.argumentsAt !== undefined;
        const args = has ? { at: way.argumentsAt ?? 0, digits: way.sample?.arguments.length ?? 0 } : undefined;
        const parts = partsOf(sid, format, block, args);
        return (
          <figure class={`container ${at.segment === i ? "active" : ""}`} key={i}>
            <figcaption>
              {sent.length > 1 ? strings.segmentOf(i + 1, sent.length) : strings.segment}
              <code class="quiet">{sid}</code>
            </figcaption>
            <ol class="cells" aria-label={strings.segmentSid(i + 1, sid)}>
              {parts.map((part, j) => (
                <li
                  class={`cell ${part.kind} ${part.kind === "global" ? `hue${place++ % HUES}` : ""} ${isGone(at, i, j, part) ? "gone" : ""}`}
                  style={{ flexGrow: part.digits.length + NAME_ROOM }}
                  key={j}
                >
                  <code>{part.digits.replace(/(.{4})(?=.)/g, "$1:")}</code>
                  <small>{nameOf(part)}</small>
                  {isGone(at, i, j, part) && <span class="sr">{strings.consumed}</span>}
                </li>
              ))}
            </ol>
          </figure>
        );
      })}
      {way.sample !== undefined && <Decoded way={way} hex={way.sample.arguments} />}
    </div>
  );
}

/** The arguments, and the bits where they stand. */
function Decoded({ way, hex }: { readonly way: SliceWay; readonly hex: string }) {
  const { address, qfi, rqi, teid } = argumentsOf(hex);
  const from = way.argumentsAt ?? 0;
  const session = from + (address === undefined ? 0 : 32);
  return (
    <dl class="facts" aria-label={strings.arguments}>
      {address !== undefined && (
        <>
          <dt>{strings.iPv4Address}</dt>
          <dd>
            {address} <Bits from={from} count={32} />
          </dd>
        </>
      )}
      <dt>{strings.qfi}</dt>
      <dd>
        {flowText({ qfi, rqi })} <Bits from={session} count={6} />
      </dd>
      <dt>{strings.rqi}</dt>
      <dd>
        {rqi ? "1" : strings.exampleQfi} <Bits from={session + 6} count={1} />
      </dd>
      <dt>{strings.teid}</dt>
      <dd>
        {teidText(teid)} <Bits from={session + 8} count={32} />
      </dd>
    </dl>
  );
}

function Bits({ from, count }: { readonly from: number; readonly count: number }) {
  return <span class="quiet">{strings.bits(counted(count, "bit"), from)}</span>;
}

/** Arguments go with the SID that they are of, not one by one. */
function isGone(at: Props["at"], segment: number, part: number, { kind }: Part): boolean {
  if (kind === "empty" || kind === "block") {
    return false;
  }
  const isUSid = kind === "global" || kind === "local";
  return segment < at.segment || (segment === at.segment && isUSid && part - 1 < at.consumed);
}

/** The digits that containers of these nodes begin with. */
export function blockOf(way: Pick<SliceWay, "from">, format: SidFormat): string {
  const prefix = network.value.nodes.get(way.from)?.block ?? "";
  return prefix === "" ? "" : digitsOf(prefix.replace(/\/.*$/, "")).slice(0, format.blockBits / 4);
}

function nameOf(part: Part): string {
  switch (part.kind) {
    case "block":
    case "locator":
      return part.kind;
    case "address":
      return part.digits.length === 8 ? ipv4Of(part.digits) : "address";
    case "flow":
      return strings.qfi;
    case "teid":
      return strings.teid;
    case "rest":
    case "empty":
      return "–";
    default:
      return uSidName(part.digits);
  }
}

/**
 * A node, or its behavior (docs/ARCHITECTURE.md, SIDs of a node; F3216 where it is numbered beside the node's uSID).
 */
function uSidName(digits: string): string {
  const nodes = [...network.value.nodes.values()].filter(({ usid }) => usid !== "");
  const node = nodes.find(({ usid }) => usid === digits);
  if (node !== undefined) {
    return node.name;
  }
  const beside = nodes.find(({ usid }) => usid.slice(0, -1) === digits.slice(0, -1));
  return beside === undefined
    ? (FUNCTIONS.find(([digit]) => digit.test(digits))?.[1] ?? strings.local)
    : `${beside.name} GTP4.E`;
}

const FUNCTIONS: readonly (readonly [RegExp, string])[] = [
  [/^f004$/, "uDT4"],
  [/^f00d$/, "uDT6"],
  [/^f600$/, "GTP6.D"],
  [/^f61[0-5]$/, "GTP6.E"],
  [/^e[01]/, "port"],
];
