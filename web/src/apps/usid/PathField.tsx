// SPDX-License-Identifier: Apache-2.0
import { useId, useRef, useState } from "preact/hooks";
import type { Problem } from "../../api/client";
import { network } from "../../state/network";
import { isWrong, Problems, problemsOf, told } from "../../components/Fields";
import { placeOf } from "./draft";
import { strings } from "./strings";

interface Props {
  readonly nodes: readonly string[];
  readonly problems: readonly Problem[];
  readonly onNodes: (nodes: readonly string[]) => void;
}

/** The nodes of a path as chips: typed, clicked on the map, taken out. */
export function PathField({ nodes, problems, onNodes }: Props) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const wrong = new Set(problems.map(placeOf));
  const add = (text: string): void => {
    const names = text.split(/[\s,]+/).filter((name) => name !== "");
    if (names.length > 0) {
      onNodes([...nodes, ...names]);
    }
    setTyped("");
  };
  /** The button goes with its node; the focus does not. */
  const takeOut = (index: number): void => {
    onNodes(nodes.filter((_, i) => i !== index));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.key === "Enter" || event.key === ",") && typed.trim() !== "") {
      event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "") {
      onNodes(nodes.slice(0, -1));
    }
  };
  return (
    <div class={`field ${isWrong(problems) ? "wrong" : ""}`}>
      <label for={id}>{strings.pathHeadendTransitNodesEgress}</label>
      <div class="chips">
        <ol aria-label={strings.nodesOfThePath}>
          {nodes.map((node, i) => (
            <li class={wrong.has(i) ? "wrong" : ""} key={`${node} ${i}`}>
              {node}
              <button type="button" aria-label={strings.remove(node)} onClick={() => takeOut(i)}>
                ×
              </button>
            </li>
          ))}
        </ol>
        <input
          id={id}
          ref={input}
          value={typed}
          placeholder={nodes.length === 0 ? strings.pathHint : strings.addNode}
          spellcheck={false}
          autocomplete="off"
          list={`${id}-options`}
          {...told(id, problems)}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => add(typed)}
        />
        <datalist id={`${id}-options`}>
          {[...network.value.nodes.keys()].map((name) => (
            <option value={name} key={name} />
          ))}
        </datalist>
      </div>
      <Problems problems={problems} id={problemsOf(id)} />
    </div>
  );
}
