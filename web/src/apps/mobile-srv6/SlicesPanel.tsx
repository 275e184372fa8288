// SPDX-License-Identifier: Apache-2.0
import { route } from "../../state/route";
import { CreateSession } from "./CreateSession";
import { CreateSlice } from "./CreateSlice";
import { SessionDetail } from "./SessionDetail";
import { SessionList } from "./SessionList";
import { SliceDetail } from "./SliceDetail";
import { SliceList } from "./SliceList";

/** "+" cannot be mistaken for a name: slices and sessions begin with a letter or a digit. */
export function SlicesPanel() {
  const [slice, second, session] = route.value.path;
  if (slice === "+" && second === "new") {
    return <CreateSlice />;
  }
  if (slice === undefined) {
    return <SliceList />;
  }
  if (second !== "sessions") {
    return <SliceDetail key={slice} id={slice} />;
  }
  if (session === "+") {
    return <CreateSession key={slice} slice={slice} />;
  }
  return session === undefined ? (
    <SessionList key={slice} slice={slice} />
  ) : (
    <SessionDetail key={`${slice} ${session}`} slice={slice} id={session} />
  );
}
