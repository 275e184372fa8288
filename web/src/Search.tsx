// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { apps } from "./apps";
import type { Found } from "./apps/app";
import { bringIntoView } from "./state/picture";

/** One box for whatever the apps know; "/" goes there from anywhere. */
export function Search() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && !typing) {
        event.preventDefault();
        input.current?.focus();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const wanted = text.trim().toLowerCase();
  const found = wanted === "" ? [] : apps.flatMap((app) => app.search(wanted));
  const open = (one: Found | undefined): void => {
    if (one !== undefined) {
      location.hash = one.address;
      if (one.on !== undefined) {
        bringIntoView(one.on);
      }
      setText("");
      input.current?.blur();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setAt((at + (event.key === "ArrowDown" ? 1 : found.length - 1)) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      open(found[at]);
    } else if (event.key === "Escape") {
      setText("");
      input.current?.blur();
    }
  };

  return (
    <div class="search" role="search">
      <input
        ref={input}
        type="search"
        list={undefined}
        role="combobox"
        aria-label="Search nodes, hosts and policies"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${at}` : undefined}
        placeholder="Search  /"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="found" role="listbox" aria-label="Found" hidden={found.length === 0}>
        {found.map((one, i) => (
          <li
            id={`found-${i}`}
            role="option"
            aria-selected={i === at}
            key={`${one.kind} ${one.name}`}
            onPointerDown={(event) => {
              event.preventDefault();
              open(one);
            }}
          >
            {one.name} <small>{one.kind}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
