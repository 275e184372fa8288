// SPDX-License-Identifier: Apache-2.0
import "./theme.css"; // before the styles of the apps, which may say more
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
