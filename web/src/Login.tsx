// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "./api/client";
import { startOf, ways, type Ways } from "./api/login";
import { whyOf } from "./api/why";
import { ended, logIn, mayResume, resume } from "./state/session";
import { strings } from "./strings";

const UNAUTHORIZED = 401;

/** The users are the controller's: the first start makes admin and viewer. */
export function Login() {
  const [user, setUser] = useState("admin");
  const [password, setPassword] = useState("");
  const [why, setWhy] = useState("");
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [offered, setOffered] = useState<Ways>({});
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const left = new AbortController();
    void ways(left.signal).then(async (found) => {
      if (found === undefined) {
        return;
      }
      setOffered(found);
      setWhy(found.failed ?? "");
      if (found.session === true && mayResume()) {
        await resume().catch(() => undefined); // it ended just now: then there is this page
      }
    });
    return () => left.abort();
  }, []);
  const start = startOf(offered);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) {
      return;
    }
    setBusy(true);
    setWhy("");
    try {
      await logIn(user, password);
    } catch (error) {
      setWhy(
        error instanceof Refused && error.status === UNAUTHORIZED ? strings.badCredentials : whyOf(error, "login"),
      );
      setBusy(false);
    }
  };

  return (
    <main class="login">
      <form onSubmit={(event) => void submit(event)}>
        <img src="./icon.svg" alt="" width="56" height="56" />
        <h1>{strings.productName}</h1>
        <p class="quiet">{strings.tagline}</p>
        {ended.value !== "" && why === "" && (
          <p class="warning" role="status">
            {ended.value}
          </p>
        )}
        <label for="user">{strings.user}</label>
        <input id="user" autocomplete="username" value={user} onInput={(event) => setUser(event.currentTarget.value)} />
        <label for="password">{strings.password}</label>
        <input
          id="password"
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
          ref={field}
        />
        {why !== "" && (
          <p class="trouble" role="alert">
            {why}
          </p>
        )}
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? strings.loggingIn : strings.logIn}
        </button>
        {start !== undefined && (
          <a class="elsewhere" href={start}>
            {strings.logInAt(offered.oidc?.issuer ?? "")}
          </a>
        )}
      </form>
    </main>
  );
}
