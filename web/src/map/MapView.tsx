// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { past, shownNetwork, shownTraffic } from "../state/past";
import { NOTHING, picture, wanted, type Thing } from "../state/picture";
import { theme } from "../state/theme";
import { Icon } from "../components/Icon";
import { Legend } from "./Legend";
import { NetworkMap } from "./NetworkMap";
import { TimeSlider } from "./TimeSlider";
import type { Box } from "./view";
import { strings } from "./strings";

const said = signal("");
const ZOOM_STEP = 1.25;
/** The legend is so far from the edge. */
const LEGEND_MARGIN = 14;
const MOST_OF_IT = 0.75;
const DIRECTIONS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The canvas, its keyboard and its buttons. Without an app that handles clicks, a click opens the clicked thing. */
export function MapView({ open }: { readonly open: (thing: Thing) => void }) {
  const element = useRef<HTMLDivElement>(null);
  const map = useRef<NetworkMap | undefined>(undefined);

  useEffect(() => {
    if (element.current === null) {
      return undefined;
    }
    const own = new NetworkMap(element.current, {
      picked: (thing) => (picture.value.pick ?? open)(thing),
      said: (text) => {
        said.value = text;
      },
      covered: () => legendOver(element.current),
      over: () => buttonsOver(element.current),
    });
    map.current = own;
    // For tests and for the console.
    (element.current as HTMLDivElement & { map?: NetworkMap }).map = own;
    const stops = [
      effect(() => own.show(shownNetwork.value)),
      effect(() => {
        // The ways of now are not those of then. An app's drawings may be known before the network below them.
        const { selected } = picture.value;
        own.draft(
          past.value === undefined ? picture.value : { ...NOTHING, ...(selected !== undefined && { selected }) },
        );
      }),
      effect(() => own.carry(shownTraffic.value)),
      theme.subscribe(() => own.recolour()),
      effect(() => own.reveal(wanted.value.names)),
    ];
    const forced = matchMedia("(forced-colors: active)");
    const recolour = (): void => own.recolour();
    forced.addEventListener("change", recolour);
    const resized = new ResizeObserver(() => own.resized());
    resized.observe(element.current);
    return () => {
      resized.disconnect();
      forced.removeEventListener("change", recolour);
      stops.forEach((stop) => stop());
      own.destroy();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (act(event.key, map.current)) {
      event.preventDefault();
    }
  };

  return (
    <section class="map" aria-label={strings.networkMap}>
      <div
        class="canvas"
        ref={element}
        tabIndex={0}
        role="application"
        aria-label={strings.mapKeys}
        onKeyDown={onKeyDown}
        onBlur={() => map.current?.blur()}
        data-testid="map"
      />
      <div class="said" role="status">
        {said}
      </div>
      <div class="zoom" role="group" aria-label={strings.zoom}>
        <Tool label={strings.zoomIn} hotkey="+" icon="M12 5v14M5 12h14" use={() => map.current?.zoomBy(ZOOM_STEP)} />
        <Tool label={strings.zoomOut} hotkey="−" icon="M5 12h14" use={() => map.current?.zoomBy(1 / ZOOM_STEP)} />
        <Tool
          label={strings.fitTheNetwork}
          hotkey="0"
          icon="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5"
          use={() => map.current?.fit()}
        />
        <Tool
          label={strings.resetLayout}
          icon="M5 5v0M12 5v0M19 5v0M5 12v0M12 12v0M19 12v0M5 19v0M12 19v0M19 19v0"
          use={() => map.current?.tidy()}
        />
      </div>
      <TimeSlider toggled={() => map.current?.resized()} />
      <Legend />
    </section>
  );
}

/** Closed it takes a corner only, and on a small map it was opened to be read. */
function legendOver(canvas: HTMLElement | null): number {
  const legend = canvas?.parentElement?.querySelector("details.legend");
  const share = (legend?.clientWidth ?? 0) / Math.max(1, canvas?.clientWidth ?? 0);
  return legend?.hasAttribute("open") === true && share < MOST_OF_IT ? legend.clientHeight + LEGEND_MARGIN : 0;
}

/** Where the buttons at the left and the panel of the time lie. */
function buttonsOver(canvas: HTMLElement | null): readonly Box[] {
  const ground = canvas?.getBoundingClientRect();
  const over = canvas?.parentElement?.querySelectorAll(".time, .zoom") ?? [];
  return [...over].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { x: x - (ground?.x ?? 0), y: y - (ground?.y ?? 0), width, height };
  });
}

interface ToolProps {
  readonly label: string;
  readonly hotkey?: string;
  readonly icon: string;
  readonly use: () => void;
}

/** A button of the map. */
function Tool({ label, hotkey, icon, use }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={hotkey === undefined ? label : `${label} (${hotkey})`}
      onClick={use}
    >
      <Icon d={icon} />
    </button>
  );
}

function act(key: string, map: NetworkMap | undefined): boolean {
  const direction = DIRECTIONS[key];
  if (direction !== undefined) {
    map?.step(...direction);
  } else if (key === "Enter" || key === " ") {
    map?.pickCursor();
  } else if (key === "+" || key === "=") {
    map?.zoomBy(ZOOM_STEP);
  } else if (key === "-") {
    map?.zoomBy(1 / ZOOM_STEP);
  } else if (key === "0") {
    map?.fit();
  } else {
    return false;
  }
  return true;
}
