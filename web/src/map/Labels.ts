// SPDX-License-Identifier: Apache-2.0
import type { Core, EdgeSingular, NodeSingular } from "cytoscape";
import type { Point } from "../model/network";
import { placed, type Box, type Wish } from "./declutter";
import type { Palette } from "./palette";
import { spreadFrom } from "./view";
import { strings } from "./strings";

/**
 * The names of the things on the canvas, and the traffic of lines, on a canvas over it. Their size is one of the screen
 * and not of the network, so that they can be read from far; where there is no room, the lesser are left out.
 */

const FAMILY = "Inter, DejaVu Sans, sans-serif";
const OUTLINE = 4;
const GAP = 4;
/** A path is taken for so many squares between two of its bends. */
const PIECES = 12;
const PIECE = 8;
/** Beside a line's text there has to be something left of the line. */
const LINE_LEFT = 44;

/** Things that a user looks at, or for. */
const ALWAYS = ["lost", "stop", "selected", "cursor", "at"];

interface Look {
  readonly font: string;
  readonly height: number;
  readonly colour: keyof Pick<Palette, "ink" | "muted" | "bad">;
}

const LOOKS = {
  node: { font: `600 13px ${FAMILY}`, height: 15, colour: "ink" },
  cluster: { font: `500 12px ${FAMILY}`, height: 14, colour: "muted" },
  host: { font: `500 12px ${FAMILY}`, height: 14, colour: "muted" },
  line: { font: `500 11.5px ${FAMILY}`, height: 14, colour: "muted" },
} as const satisfies Record<string, Look>;

interface Text {
  readonly lines: readonly string[];
  readonly look: Look;
  readonly bad: boolean;
}

/** A name as it stands on the screen. */
export interface Shown {
  readonly id: string;
  readonly text: string;
  readonly box: Box;
}

export class Labels {
  private readonly canvas = document.createElement("canvas");
  private readonly widths = new Map<string, number>();
  private shown: readonly Shown[] = [];

  constructor(
    private readonly cy: Core,
    element: Element,
    private palette: Palette,
    /** The traffic of a line, by its id. */
    private readonly carried: ReadonlyMap<string, string>,
  ) {
    this.canvas.className = "labels";
    this.canvas.setAttribute("aria-hidden", "true");
    element.append(this.canvas);
    cy.on("render", () => this.draw());
  }

  recolour(palette: Palette): void {
    this.palette = palette;
    this.draw();
  }

  /** The names that can be read now. */
  read(): readonly Shown[] {
    return this.shown;
  }

  private draw(): void {
    const context = this.canvas.getContext("2d");
    if (context === null) {
      return;
    }
    const [width, height] = [this.cy.width(), this.cy.height()];
    const dense = devicePixelRatio;
    if (this.canvas.width !== Math.round(width * dense) || this.canvas.height !== Math.round(height * dense)) {
      this.canvas.width = Math.round(width * dense);
      this.canvas.height = Math.round(height * dense);
    }
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, width, height);
    context.lineJoin = "round";
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.shown = this.write(context, { x: 0, y: 0, width, height });
  }

  private write(context: CanvasRenderingContext2D, screen: Box): readonly Shown[] {
    const texts = new Map<string, Text>();
    const wishes: Wish[] = [];
    const icons: Box[] = [];
    for (const node of this.cy.nodes(".node, .host, .cluster").toArray()) {
      const icon = iconBox(node);
      if (isOn(icon, screen)) {
        icons.push(icon);
        const text = textOf(node);
        texts.set(node.id(), text);
        wishes.push(wishOf(node, this.sizeOf(context, text), icon));
        this.count(context, node);
      }
    }
    for (const edge of this.cy.edges(".busy, .down").toArray()) {
      const text = this.textOnLine(edge);
      const wish = onLine(edge, this.sizeOf(context, text));
      if (wish !== undefined) {
        texts.set(edge.id(), text);
        wishes.push(wish);
      }
    }
    return [...placed(wishes, icons, this.pathBoxes())].flatMap(([id, box]) => {
      const text = texts.get(id);
      return text === undefined ? [] : [this.put(context, id, text, box)];
    });
  }

  /** Where paths are, in pieces. */
  private pathBoxes(): readonly Box[] {
    const [zoom, pan] = [this.cy.zoom(), this.cy.pan()];
    const paths = this.cy.edges(".path, .growing").toArray();
    return paths.flatMap((path) =>
      alongOf(path).map(({ x, y }) => ({
        x: x * zoom + pan.x - PIECE / 2,
        y: y * zoom + pan.y - PIECE / 2,
        width: PIECE,
        height: PIECE,
      })),
    );
  }

  private textOnLine(edge: EdgeSingular): Text {
    const down = edge.hasClass("down");
    return { lines: [down ? strings.down : (this.carried.get(edge.id()) ?? "")], look: LOOKS.line, bad: down };
  }

  private sizeOf(context: CanvasRenderingContext2D, { lines, look }: Text): { width: number; height: number } {
    const widthOf = (line: string): number => {
      const key = `${look.font} ${line}`;
      const known = this.widths.get(key);
      if (known !== undefined) {
        return known;
      }
      if (this.widths.size > 5_000) {
        this.widths.clear();
      }
      context.font = look.font;
      const { width } = context.measureText(line);
      this.widths.set(key, width);
      return width;
    };
    return { width: Math.max(...lines.map(widthOf)) + 2, height: look.height * lines.length };
  }

  private put(context: CanvasRenderingContext2D, id: string, { lines, look, bad }: Text, box: Box): Shown {
    context.font = look.font;
    if (look === LOOKS.line) {
      context.fillStyle = this.palette.paper;
      context.fillRect(box.x - 1, box.y, box.width + 2, box.height);
    }
    context.strokeStyle = this.palette.paper;
    context.lineWidth = OUTLINE;
    context.fillStyle = bad ? this.palette.bad : this.palette[look.colour];
    lines.forEach((line, i) => {
      const [x, y] = [box.x + box.width / 2, box.y + look.height * (i + 0.5)];
      context.strokeText(line, x, y);
      context.fillText(line, x, y);
    });
    return { id, text: lines.join(" "), box };
  }

  /** How many nodes a cluster has stands in it. */
  private count(context: CanvasRenderingContext2D, node: NodeSingular): void {
    if (node.hasClass("cluster")) {
      const { x, y } = node.renderedPosition();
      context.font = LOOKS.node.font;
      context.fillStyle = node.hasClass("lost") ? this.palette.bad : this.palette.ink;
      context.fillText(String(node.data("count")), x, y);
    }
  }
}

/** Points along a path, nearly: over its control points. */
function alongOf(path: EdgeSingular): readonly Point[] {
  const bends = (path.controlPoints() as Point[] | undefined) ?? [];
  const corners = [path.sourceEndpoint(), ...bends, path.targetEndpoint()];
  return corners.slice(1).flatMap((to, i) => {
    const from = corners[i] ?? to;
    return Array.from({ length: PIECES }, (_, piece) => spreadFrom(from, to, piece / PIECES));
  });
}

function iconBox(node: NodeSingular): Box {
  const { x, y } = node.renderedPosition();
  const [width, height] = [node.renderedWidth(), node.renderedHeight()];
  return { x: x - width / 2, y: y - height / 2, width, height };
}

function isOn({ x, y, width, height }: Box, screen: Box): boolean {
  return x + width >= 0 && y + height >= 0 && x <= screen.width && y <= screen.height;
}

function textOf(node: NodeSingular): Text {
  const look = node.hasClass("host") ? LOOKS.host : node.hasClass("cluster") ? LOOKS.cluster : LOOKS.node;
  const label = String(node.data("label"));
  return { lines: label.split("\n"), look, bad: node.hasClass("lost") || node.hasClass("down") };
}

function wishOf(node: NodeSingular, { width, height }: { width: number; height: number }, icon: Box): Wish {
  const [middle, centre] = [icon.x + icon.width / 2 - width / 2, icon.y + icon.height / 2 - height / 2];
  const must = ALWAYS.some((name) => node.hasClass(name));
  return {
    id: node.id(),
    places: [
      { x: middle, y: icon.y + icon.height + GAP, width, height },
      { x: middle, y: icon.y - GAP - height, width, height },
      { x: icon.x + icon.width + GAP, y: centre, width, height },
      { x: icon.x - GAP - width, y: centre, width, height },
    ],
    rank: must ? 0 : node.hasClass("node") ? 1 : node.hasClass("cluster") ? 2 : 3,
    must,
  };
}

function onLine(edge: EdgeSingular, { width, height }: { width: number; height: number }): Wish | undefined {
  const [a, b] = [edge.source().renderedPosition(), edge.target().renderedPosition()];
  const middle = edge.renderedMidpoint();
  const down = edge.hasClass("down");
  return Math.hypot(a.x - b.x, a.y - b.y) < width + LINE_LEFT && !down
    ? undefined
    : {
        id: edge.id(),
        places: [{ x: middle.x - width / 2, y: middle.y - height / 2, width, height }],
        rank: down ? 0.5 : 4,
        must: false,
      };
}
