import { useRef, useState } from "react";
import { Button } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { TextArea } from "#ui/field.tsx";
import { Download } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { toast } from "#ui/toast.tsx";
import type { CatalogueVersion } from "#desk/data/reads.ts";
import { textOf, useCatalogueDraft, type CatalogueDraft } from "./use-catalogue-draft.ts";
import { diffCatalogue } from "./diff-catalogue.ts";
import { DifferenceList } from "./difference-list.tsx";
import { readJson } from "./json-text.ts";
import { isCatalogue } from "./offer-rows.ts";
import { PriceGrid } from "./price-grid.tsx";
import { SaveDialog } from "./save-dialog.tsx";
import { VersionsPanel } from "./versions-panel.tsx";

/** The catalogue as JSON text, with the unsaved changes beside it. */
export function CatalogueEditor({
  current,
  canEdit,
}: {
  readonly current: CatalogueVersion;
  readonly canEdit: boolean;
}) {
  const draft = useCatalogueDraft(current);
  const [isSaving, setIsSaving] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const read = readJson(draft.text);
  const differences = read.kind === "value" ? diffCatalogue(current.document, read.value) : [];
  const edited = read.kind === "value" && isCatalogue(read.value) ? read.value : undefined;
  const goTo = (at: number) => {
    setIsSaving(false);
    // The dialog restores the focus when it closes, so move it afterwards.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
    }, 50);
  };
  return (
    <>
      {draft.isOutdated && <ConflictNotice draft={draft} />}
      <Panel
        isFlush
        title="Prices"
        description={
          edited === undefined
            ? "The saved prices. Fix the document to edit prices here."
            : "Arrow keys move between prices. Edits appear in the document and under Changes until you save them."
        }
      >
        <PriceGrid
          document={edited ?? current.document}
          canEdit={canEdit && edited !== undefined}
          onChange={(document) => draft.edit(textOf(document))}
        />
      </Panel>
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel>
          <TextArea
            ref={area}
            name="catalogue"
            label="Document"
            rows={34}
            readOnly={!canEdit}
            value={draft.text}
            onChange={draft.edit}
            {...(read.kind === "invalid"
              ? { problem: `Invalid JSON on line ${read.line}: ${read.why}` }
              : {})}
          />
        </Panel>
        <Panel title="Changes" isFlush className="xl:sticky xl:top-5">
          <div className="flex flex-wrap gap-2 px-5 pb-4 sm:px-6">
            {canEdit && (
              <>
                <Button
                  variant="primary"
                  disabled={read.kind === "invalid" || differences.length === 0 || draft.isOutdated}
                  onClick={() => setIsSaving(true)}
                >
                  Review and save
                </Button>
                <Button disabled={!draft.isChanged} onClick={draft.discard}>
                  Discard
                </Button>
              </>
            )}
            <Button
              variant="quiet"
              icon={<Download aria-hidden className="size-4" />}
              onClick={() =>
                download("catalogue.json", "application/json", textOf(current.document))
              }
            >
              Download
            </Button>
          </div>
          <DifferenceList isReadable={read.kind === "value"} differences={differences} />
        </Panel>
      </div>
      <VersionsPanel
        onRestore={
          canEdit
            ? (document) => {
                draft.edit(textOf(document));
                toast("Loaded into the editor");
                area.current?.focus();
              }
            : undefined
        }
      />
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

function ConflictNotice({ draft }: { readonly draft: CatalogueDraft }) {
  return (
    <Notice
      tone="warn"
      isAnnounced
      title="Another operator saved the catalogue"
      actions={
        <>
          <Button size="small" variant="primary" onClick={draft.rebase}>
            Keep my version
          </Button>
          <Button size="small" onClick={draft.discard}>
            Discard my version
          </Button>
        </>
      }
    >
      <p>
        Your text is still here, now compared with the saved version. Before you continue, check
        that you do not undo the other operator's changes.
      </p>
    </Notice>
  );
}
