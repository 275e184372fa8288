// SPDX-License-Identifier: Apache-2.0
// In this order, and before the styles of the apps, which may say more.
import "./theme.css";
import "./styles/base.css";
import "./styles/fields.css";
import "./styles/login.css";
import "./styles/shell.css";
import "./styles/panel.css";
import "./styles/create.css";
import "./styles/narrow.css";
import "./styles/forced.css";
import { render } from "preact";
import { breakCodeBetweenGroups } from "./components/breaks";
import { Login } from "./Login";
import { Shell } from "./Shell";
import { session, touch } from "./state/session";

function Page() {
  return session.value === undefined ? <Login /> : <Shell />;
}

for (const sign of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(sign, touch, { passive: true });
}

breakCodeBetweenGroups();

const root = document.getElementById("app");
if (root !== null) {
  render(<Page />, root);
}
