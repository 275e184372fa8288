// SPDX-License-Identifier: Apache-2.0
import { useId, useLayoutEffect } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { Choice, Problems, problemsOf, TextField, told } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useDryRun, type DryRun } from "../../components/dryRun";
import { counted } from "../../model/format";
import { network } from "../../state/network";
import { NOTHING, picture } from "../../state/picture";
import { go } from "../../state/route";
import type { Imported } from "./api";
import { complete, EMPTY, hintOf, textOf, type Draft } from "./draft";
import { importText, readText } from "./firewalls";
import { Rules } from "./Rules";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const APP = { id: "firewalls", title: strings.firewalls };
const READING = { dryRun: readText, submit: importText };

export function ImportFirewall() {
  return (
    <WritersOnly app={APP} what={strings.things}>
      <Form />
    </WritersOnly>
  );
}

/** Yesterday's rules become a firewall: the result, and the rules without counterpart, are shown before it is there. */
function Form() {
  const run = useDryRun({
    intents: READING,
    empty: EMPTY,
    intentOf: (draft) => (complete(draft) ? textOf(draft) : undefined),
    installed: (status) => go("firewalls", status.id),
  });
  const { draft, plan, change } = run;
  useLayoutEffect(() => {
    picture.value = {
      ...NOTHING,
      stops: draft.node === "" ? [] : [draft.node],
      pick: (thing) => {
        if (thing.kind === "node") {
          change((before) => ({ ...before, node: thing.name }));
        }
      },
    };
  }, [draft.node]);
  return (
    <>
      <CreateForm app={APP} heading={strings.importRules} hint={hintOf(draft, plan)} run={run}>
        <Fields run={run} />
      </CreateForm>
      {plan !== undefined && <Preview plan={plan} busy={run.tried.is === "asking"} />}
    </>
  );
}

function Fields({ run: { draft, field, set, problems } }: { readonly run: DryRun<Draft, Imported> }) {
  return (
    <>
      <TextField
        label={strings.node}
        placeholder={strings.nodeHint}
        options={[...network.value.nodes.keys()]}
        {...field("node")}
      />
      <div class="pair">
        <Choice label={strings.format} options={strings.formats} {...field("format")} />
        <TextField label={strings.chain} placeholder={strings.exampleChain} {...field("chain")} />
      </div>
      <div class="pair">
        <TextField label={strings.nameOptional} placeholder={strings.nameOfTheChain} {...field("name")} />
        <Choice
          label={strings.unsupportedLines}
          options={{ no: strings.rejectTheImport, yes: strings.skip }}
          {...field("partial")}
        />
      </div>
      <TextArea draft={draft} set={set} problems={problems.of("text")} />
    </>
  );
}

function TextArea({
  draft,
  set,
  problems,
}: Pick<DryRun<Draft, Imported>, "draft" | "set"> & { readonly problems: Parameters<typeof told>[1] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{strings.rules}</label>
      <textarea
        id={id}
        rows={10}
        value={draft.text}
        placeholder={strings.exampleRules}
        spellcheck={false}
        {...told(id, problems)}
        onInput={(event) => set({ text: event.currentTarget.value })}
      />
      <Problems problems={problems} id={problemsOf(id)} />
    </div>
  );
}

function Preview({ plan, busy }: { readonly plan: Imported; readonly busy: boolean }) {
  const { firewall, refused, warnings } = plan;
  return (
    <section aria-label={shared.preview} aria-busy={busy}>
      {refused.length > 0 && (
        <>
          <h3>{strings.unsupported(counted(refused.length, "line"))}</h3>
          <Remarks of={refused} look="trouble" />
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h3>{strings.importedWithDifferences}</h3>
          <Remarks of={warnings} look="warning" />
        </>
      )}
      <Warnings of={plan.plan?.warnings ?? []} />
      <Rules firewall={firewall} findings={plan.plan?.findings ?? []} counts={undefined} />
    </section>
  );
}

function Remarks({ of, look }: { readonly of: Imported["refused"]; readonly look: "trouble" | "warning" }) {
  return (
    <ul class="remarks">
      {of.slice(0, 100).map(({ line, text, why }) => (
        <li class={look} key={`${line} ${why}`}>
          {line > 0 && strings.line(line)}
          {why}
          {text !== "" && <code class="block">{text}</code>}
        </li>
      ))}
    </ul>
  );
}
