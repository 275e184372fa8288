// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { TextField } from "../../components/Fields";
import { useDryRun } from "../../components/dryRun";
import { addressOf } from "../../model/address";
import { NOTHING, picture } from "../../state/picture";
import { go, route } from "../../state/route";
import { toys } from "./api";

const APP = { id: "toys", title: "Toys" };

export function ToyPanel() {
  return route.value.path[0] === "+" ? (
    <WritersOnly app={APP} what="toys">
      <CreateToy />
    </WritersOnly>
  ) : (
    <ToyList />
  );
}

function ToyList() {
  return (
    <>
      <h2>Toys</h2>
      <a href={addressOf("toys", "+", "new")}>New toy</a>
      <ul class="toys">
        {[...(toys.all.value?.values() ?? [])].map(({ id, toy }) => (
          <li key={id}>
            {id} at {toy.at}
          </li>
        ))}
      </ul>
    </>
  );
}

function CreateToy() {
  const run = useDryRun({
    intents: toys,
    empty: { at: "" },
    intentOf: ({ at }) => (at === "" ? undefined : { at }),
    installed: () => go("toys"),
  });
  const { draft, plan } = run;
  useLayoutEffect(() => {
    const [from, ...others] = plan?.nodes ?? [];
    const hops = from === undefined ? [] : others.map((to) => ({ from, to }));
    picture.value = {
      ...NOTHING,
      stops: [draft.at],
      paths: [{ id: "toy", look: "forward", beside: 3, hops }],
      pick: ({ name }) => run.set({ at: name }),
    };
  }, [draft, plan]);
  return (
    <CreateForm app={APP} heading="New toy" hint="Click the host that has it." run={run}>
      <TextField
        label="At"
        value={draft.at}
        placeholder="host"
        problems={run.problems.of("at")}
        onValue={(at) => run.set({ at })}
      />
    </CreateForm>
  );
}

export function HostToys({ host }: { readonly host: string }) {
  return (
    <>
      <dt>Toys</dt>
      <dd>{[...(toys.all.value?.values() ?? [])].filter(({ toy }) => toy.at === host).length}</dd>
    </>
  );
}
