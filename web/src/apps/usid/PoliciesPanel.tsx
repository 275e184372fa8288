// SPDX-License-Identifier: Apache-2.0
import { route } from "../../state/route";
import { CreatePolicy } from "./CreatePolicy";
import { PolicyDetail } from "./PolicyDetail";
import { PolicyList } from "./PolicyList";

/** "new" cannot be mistaken for a policy: its page is the second part of an address of its own. */
export function PoliciesPanel() {
  const [first, second] = route.value.path;
  if (first === "+" && second === "new") {
    return <CreatePolicy />;
  }
  return first === undefined ? <PolicyList /> : <PolicyDetail key={first} id={first} />;
}
