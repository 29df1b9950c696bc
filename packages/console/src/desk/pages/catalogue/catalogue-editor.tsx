import { useRef, useState } from "react";
import { Button } from "#ui/button.tsx";
import { downloadText } from "#ui/download.ts";
import { TextArea } from "#ui/field.tsx";
import { Download } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import type { CatalogueVersion } from "#desk/data/reads.ts";
import { catalogueText, useCatalogueDraft, type CatalogueDraft } from "./use-catalogue-draft.ts";
import { diffCatalogue } from "./diff-catalogue.ts";
import { DifferenceList } from "./difference-list.tsx";
import { readJson } from "./json-text.ts";
import { SaveDialog } from "./save-dialog.tsx";

/** The document as text, with what it would change beside it. */
export function CatalogueEditor({
  current,
  mayEdit,
}: {
  readonly current: CatalogueVersion;
  readonly mayEdit: boolean;
}) {
  const draft = useCatalogueDraft(current);
  const [isSaving, setIsSaving] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const read = readJson(draft.text);
  const differences = read.kind === "value" ? diffCatalogue(current.document, read.value) : [];
  const goTo = (at: number) => {
    setIsSaving(false);
    // The dialog gives the focus back as it closes; only then can it be put elsewhere.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
    }, 50);
  };
  return (
    <>
      {draft.isBehind && <Behind draft={draft} />}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel>
          <TextArea
            ref={area}
            name="catalogue"
            label="Document"
            rows={34}
            readOnly={!mayEdit}
            value={draft.text}
            onChange={draft.edit}
            {...(read.kind === "broken"
              ? { problem: `Line ${read.line} is not JSON: ${read.why}` }
              : {})}
          />
        </Panel>
        <Panel title="What would change" isFlush className="xl:sticky xl:top-5">
          <div className="flex flex-wrap gap-2 px-5 pb-4 sm:px-6">
            {mayEdit && (
              <>
                <Button
                  look="primary"
                  disabled={read.kind === "broken" || differences.length === 0 || draft.isBehind}
                  onClick={() => setIsSaving(true)}
                >
                  Review and save
                </Button>
                <Button disabled={!draft.isChanged} onClick={draft.discard}>
                  Undo all
                </Button>
              </>
            )}
            <Button
              look="quiet"
              icon={<Download aria-hidden className="size-4" />}
              onClick={() =>
                downloadText("catalogue.json", "application/json", catalogueText(current))
              }
            >
              Download
            </Button>
          </div>
          <DifferenceList isReadable={read.kind === "value"} differences={differences} />
        </Panel>
      </div>
      {isSaving && read.kind === "value" && (
        <SaveDialog
          draft={draft}
          document={read.value}
          differences={differences}
          onGoTo={goTo}
          onClose={() => setIsSaving(false)}
        />
      )}
    </>
  );
}

function Behind({ draft }: { readonly draft: CatalogueDraft }) {
  return (
    <Notice
      tone="warn"
      isNews
      title="Somebody else has saved the catalogue meanwhile"
      actions={
        <>
          <Button size="small" look="primary" onClick={draft.rebase}>
            Go on with my text
          </Button>
          <Button size="small" onClick={draft.discard}>
            Take theirs, drop mine
          </Button>
        </>
      }
    >
      <p>
        Your text is still here. What would change is compared with what they saved: look whether
        you would undo something of theirs before you go on.
      </p>
    </Notice>
  );
}
