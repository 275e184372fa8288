// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { widthOf } from "../model/format";
import { past, shownNetwork, shownTraffic } from "../state/past";
import { useEscape } from "../state/escape";
import { NOTHING, picture } from "../state/picture";
import { iconOf } from "./icons";
import { LEGEND, type Seen, type Swatch } from "./looks";
import { isCrowded } from "./scene";
import { strings } from "./strings";

const WIDE = "(min-width: 1000px)";

/** The meaning of shapes, colours, widths and dashes, of those that are on the map. */
export function Legend() {
  const element = useRef<HTMLDetailsElement>(null);
  const [begins] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const wide = matchMedia(WIDE);
    const follow = (): void => {
      if (element.current !== null) {
        element.current.open = wide.matches;
      }
    };
    wide.addEventListener("change", follow);
    return () => wide.removeEventListener("change", follow);
  }, []);
  // Where it is opened to be read, it is closed again; on a wide screen it is there.
  const [isRead, setRead] = useState(false);
  useEscape(isRead, () => {
    if (matchMedia(WIDE).matches) {
      return; // the screen became wide a moment ago, and the page has not drawn that
    }
    element.current?.removeAttribute("open");
    element.current?.querySelector("summary")?.focus();
  });
  const seen = seenNow();
  return (
    <details
      class="legend"
      ref={element}
      open={begins}
      onToggle={(event) => setRead(event.currentTarget.open && !matchMedia(WIDE).matches)}
    >
      <summary>{strings.legend}</summary>
      <ul aria-label={strings.legend}>
        {LEGEND.filter((entry) => entry.isSeen(seen)).map(({ text, swatch }) => (
          <li key={text}>
            <Drawn swatch={swatch} /> {text}
          </li>
        ))}
      </ul>
    </details>
  );
}

function seenNow(): Seen {
  const view = shownNetwork.value;
  const rates = [...shownTraffic.value.values()];
  return {
    view,
    picture: past.value === undefined ? picture.value : NOTHING,
    busy: rates.some(
      ({ inBitsPerSecond, outBitsPerSecond }) => widthOf(Math.max(inBitsPerSecond, outBitsPerSecond)) > 0,
    ),
    clustered: isCrowded(view),
  };
}

const LENGTH = 26;
const HEIGHT = 14;
const BETWEEN = 4;
const ARROW = 8;

function Drawn({ swatch }: { readonly swatch: Swatch }) {
  if (swatch.is === "icon") {
    return <img src={iconOf(swatch.kind, "#6b7c85")} alt="" width="18" height="18" />;
  }
  if (swatch.is === "shape") {
    return <i class={`swatch ${swatch.look}`} aria-hidden="true" />;
  }
  const { widths, dash = [], pale = false, arrow = false } = swatch;
  const colour = `var(--${swatch.colour})`;
  const stroke = pale ? `color-mix(in srgb, ${colour} 50%, var(--paper))` : colour;
  const each = widths.length === 1 ? LENGTH : (LENGTH * 2 - BETWEEN * (widths.length - 1)) / widths.length;
  const whole = widths.length * each + BETWEEN * (widths.length - 1);
  return (
    <svg width={whole} height={HEIGHT} aria-hidden="true" style={{ color: stroke }}>
      {widths.map((width, i) => (
        <line
          key={width}
          x1={i * (each + BETWEEN)}
          x2={i * (each + BETWEEN) + each - (arrow ? ARROW : 0)}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          stroke="currentColor"
          stroke-width={width}
          stroke-dasharray={dash.join(" ")}
        />
      ))}
      {arrow && <path d={`M${LENGTH} ${HEIGHT / 2}l-${ARROW + 1} -5v10z`} fill="currentColor" />}
    </svg>
  );
}
