// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { apps } from "./apps";
import type { Found } from "./apps/app";
import { bringIntoView } from "./state/picture";
import { strings } from "./strings";

/** One box for whatever the apps know; "/" goes there from anywhere. The results are there while the focus is in it. */
export function Search() {
  const [text, setText] = useState("");
  const [wished, setWished] = useState(0);
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.current?.focus();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const wanted = text.trim().toLowerCase();
  const found = wanted === "" || !open ? [] : apps.flatMap((app) => app.search(wanted));
  // The network may have lost some since.
  const at = Math.min(wished, found.length - 1);
  const close = (): void => {
    setText("");
    input.current?.blur();
  };
  const choose = (one: Found | undefined): void => {
    if (one !== undefined) {
      location.hash = one.address;
      if (one.on !== undefined) {
        bringIntoView(one.on);
      }
      close();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setWished((at + (event.key === "ArrowDown" ? 1 : found.length - 1)) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      choose(found[at]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  };

  return (
    <div class="search" role="search">
      <input
        ref={input}
        type="search"
        list={undefined}
        role="combobox"
        aria-label={strings.searchLabel}
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${at}` : undefined}
        placeholder={strings.searchHint}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setWished(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <ul id="found" role="listbox" aria-label={strings.searchResults} hidden={found.length === 0}>
        {found.map((one, i) => (
          <li
            id={`found-${i}`}
            role="option"
            aria-selected={i === at}
            key={one.address}
            title={one.name}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(one);
            }}
          >
            <span>{one.name}</span> <small>{one.kind}</small>
          </li>
        ))}
      </ul>
      {open && wanted !== "" && found.length === 0 && (
        <p class="none" role="status">
          {strings.noResults}
        </p>
      )}
    </div>
  );
}
