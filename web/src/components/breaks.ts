// SPDX-License-Identifier: Apache-2.0
import { h, options, type ComponentChildren } from "preact";

/** Where an address, a SID or a match may be broken: after the separators of its groups, and nowhere within one. */
export function groupsOf(text: string): readonly string[] {
  return text.split(/(?<=::?(?!:)|[/,.])(?=[^\s:/,.])/);
}

/**
 * Whatever is written as code breaks between its groups only, whichever panel writes it: half a group reads as another
 * address. The style sheet does the rest.
 */
export function breakCodeBetweenGroups(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (vnode) => {
    if (vnode.type === "code") {
      const props = vnode.props as { children?: ComponentChildren };
      props.children = broken(props.children);
    }
    before?.(vnode);
  };
}

function broken(children: ComponentChildren): ComponentChildren {
  if (Array.isArray(children)) {
    return children.map(broken);
  }
  if (typeof children !== "string") {
    return children;
  }
  const groups = groupsOf(children);
  return groups.length === 1
    ? children
    : groups.flatMap((group, i): ComponentChildren[] => (i === 0 ? [group] : [h("wbr", { key: i }), group]));
}
