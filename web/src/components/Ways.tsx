// SPDX-License-Identifier: Apache-2.0
import "./walk.css";

interface Props<Way> {
  /** The name of one of them. */
  readonly label: string;
  readonly ways: readonly Way[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly text: (way: Way) => string;
  readonly remark: (way: Way) => string;
}

/** One of several ways is looked at. */
export function Ways<Way>({ label, ways, chosen, onChoose, text, remark }: Props<Way>) {
  return (
    <div class="ways" role="group" aria-label={label}>
      {ways.map((way, i) => (
        <button type="button" aria-pressed={i === chosen} onClick={() => onChoose(i)} key={i}>
          {text(way)} <small>{remark(way)}</small>
        </button>
      ))}
    </div>
  );
}
