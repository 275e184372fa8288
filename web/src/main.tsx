// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { Login } from "./Login";
import { Shell } from "./Shell";
import { session } from "./state/session";
import "./theme.css";

function Page() {
  return session.value === undefined ? <Login /> : <Shell />;
}

const root = document.getElementById("app");
if (root !== null) {
  render(<Page />, root);
}
