// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { Refused } from "./api/client";
import { logIn } from "./state/session";

/** The users are the controller's: the first start makes admin and viewer. */
export function Login() {
  const [user, setUser] = useState("admin");
  const [password, setPassword] = useState("");
  const [why, setWhy] = useState("");
  const [busy, setBusy] = useState(false);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await logIn(user, password);
    } catch (error) {
      setWhy(
        error instanceof Refused && error.status < 500
          ? "No user of this name has this password. The first start of the controller wrote them to etc/sextant/credentials."
          : "The controller does not answer. Is it running?",
      );
      setBusy(false);
    }
  };

  return (
    <main class="login">
      <form onSubmit={(event) => void submit(event)}>
        <img src="./icon.svg" alt="" width="56" height="56" />
        <h1>Sextant</h1>
        <p class="quiet">See the network, draw a policy, watch the packets take it.</p>
        <label for="user">User</label>
        <input id="user" autocomplete="username" value={user} onInput={(event) => setUser(event.currentTarget.value)} />
        <label for="password">Password</label>
        <input
          id="password"
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
          autoFocus
        />
        {why !== "" && (
          <p class="trouble" role="alert">
            {why}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy}>
          Log in
        </button>
      </form>
    </main>
  );
}
