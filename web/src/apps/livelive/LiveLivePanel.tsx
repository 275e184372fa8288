// SPDX-License-Identifier: Apache-2.0
import { route } from "../../state/route";
import { CreateFlow } from "./CreateFlow";
import { FlowDetail } from "./FlowDetail";
import { FlowList } from "./FlowList";

export function LiveLivePanel() {
  const [first, second] = route.value.path;
  if (first === "+" && second === "new") {
    return <CreateFlow />;
  }
  return first === undefined ? <FlowList /> : <FlowDetail key={first} id={first} />;
}
