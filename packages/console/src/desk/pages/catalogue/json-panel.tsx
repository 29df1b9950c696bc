import type { Ref } from "react";
import { TextArea } from "#ui/field.tsx";
import { Panel } from "#ui/panel.tsx";
import type { Difference } from "./diff-catalogue.ts";
import { DifferenceList } from "./difference-list.tsx";
import type { ReadJson } from "./json-text.ts";
import type { CatalogueDraft } from "./use-catalogue-draft.ts";

/** The catalogue as JSON text, with the unsaved changes beside it. */
export function JsonPanel({
  ref,
  draft,
  read,
  differences,
  canEdit,
}: {
  readonly ref: Ref<HTMLTextAreaElement>;
  readonly draft: CatalogueDraft;
  readonly read: ReadJson;
  readonly differences: readonly Difference[];
  readonly canEdit: boolean;
}) {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel>
        <TextArea
          ref={ref}
          name="catalogue"
          label="Document"
          rows={34}
          readOnly={!canEdit}
          value={draft.text}
          onChange={draft.edit}
          problem={
            read.kind === "invalid" ? `Invalid JSON on line ${read.line}: ${read.why}` : undefined
          }
        />
      </Panel>
      <Panel title="Changes" isFlush>
        <DifferenceList isReadable={read.kind === "value"} differences={differences} />
      </Panel>
    </div>
  );
}
