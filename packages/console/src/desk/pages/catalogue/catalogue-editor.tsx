import { useNavigate } from "@tanstack/react-router";
import { useRef, useState, type ReactNode } from "react";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { Tabs } from "#ui/tabs.tsx";
import { toast } from "#ui/toast.tsx";
import type { CatalogueVersion } from "#desk/data/reads.ts";
import { diffCatalogue } from "./diff-catalogue.ts";
import { DraftBar } from "./draft-bar.tsx";
import { ItemDialog } from "./item-dialog.tsx";
import { ItemsPanel } from "./items-panel.tsx";
import { JsonPanel } from "./json-panel.tsx";
import { offsetOf, readJson } from "./json-text.ts";
import { isCatalogue, type CatalogueDocument } from "./offer-rows.ts";
import { PriceGrid } from "./price-grid.tsx";
import { placeOf, problemsIn, type Refused } from "./problems.ts";
import { SaveDialog } from "./save-dialog.tsx";
import { itemsOf, nameOfItem, sections, withItem, type Section } from "./sections.ts";
import { textOf, useCatalogueDraft, type CatalogueDraft } from "./use-catalogue-draft.ts";
import { VersionsPanel } from "./versions-panel.tsx";

/** An open form. */
interface Open {
  readonly section: Section;
  /** Undefined: of a new item. */
  readonly index: number | undefined;
  /** Whether there were unsaved changes before it opened. */
  readonly wasStored: boolean;
}

/** The catalogue as prices, forms and JSON text. All edit one draft, which is saved as a whole. */
export function CatalogueEditor({
  current,
  canEdit,
}: {
  readonly current: CatalogueVersion;
  readonly canEdit: boolean;
}) {
  const draft = useCatalogueDraft(current);
  const navigate = useNavigate();
  const [isSaving, setIsSaving] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const [open, setOpen] = useState<Open>();
  const area = useRef<HTMLTextAreaElement>(null);
  const read = readJson(draft.text);
  const value = read.kind === "value" ? read.value : undefined;
  const differences = read.kind === "value" ? diffCatalogue(current.document, value) : [];
  const edited = isCatalogue(value) ? value : undefined;
  const document = edited ?? current.document;
  const canUseForms = canEdit && edited !== undefined;
  const problems = problemsIn(refused, value);
  const edit = (next: CatalogueDocument) => draft.edit(textOf(next));

  const openForm = (section: Section, index: number | undefined) => {
    setOpen({ section, index, wasStored: draft.isStored });
    // Keeps the version that the form shows, so that another operator's save is a conflict.
    draft.edit(draft.text);
  };
  const goToLine = (field: string) => {
    setIsSaving(false);
    void navigate({ to: ".", search: { tab: "json" }, resetScroll: false });
    const at = offsetOf(draft.text, field);
    // The dialog restores the focus when it closes, so move it afterwards.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
    }, 50);
  };
  const goToForm = (field: string) => {
    const place = placeOf(document, field);
    if (place === undefined) return;
    setIsSaving(false);
    void navigate({
      to: ".",
      search: place.tab === "prices" ? {} : { tab: place.tab },
      resetScroll: false,
    });
    const section = sections.find(({ name }) => name === place.tab);
    if (section !== undefined) openForm(section, place.index);
  };

  const restore = (version: CatalogueDocument) => {
    edit(version);
    toast("Version loaded. Review and save it");
  };

  return (
    <>
      {draft.isOutdated && <ConflictNotice draft={draft} />}
      <DraftBar
        draft={draft}
        saved={current.document}
        isReadable={read.kind === "value"}
        changes={differences.length}
        onSave={canEdit ? () => setIsSaving(true) : undefined}
      />
      {edited === undefined && (
        <Notice tone="warn" title="The JSON does not describe a catalogue">
          <p>The forms show the saved catalogue. Fix the document to edit with them.</p>
        </Notice>
      )}
      <Tabs
        label="Parts of the catalogue"
        tabs={[
          {
            value: "prices",
            label: "Prices",
            content: showing(
              <PriceGrid
                document={document}
                problems={problems}
                canEdit={canUseForms}
                onChange={edit}
              />,
            ),
          },
          ...sections.map((section) => ({
            value: section.name,
            label: section.title,
            content: showing(
              <ItemsPanel
                document={document}
                section={section}
                problems={problems}
                canEdit={canUseForms}
                onChange={edit}
                onOpen={(index) => openForm(section, index)}
              />,
            ),
          })),
          {
            value: "json",
            label: "JSON",
            content: showing(
              <JsonPanel
                ref={area}
                draft={draft}
                read={read}
                differences={differences}
                canEdit={canEdit}
              />,
            ),
          },
          {
            value: "versions",
            label: "Versions",
            content: showing(<VersionsPanel onRestore={canEdit ? restore : undefined} />),
          },
        ]}
      />
      {open !== undefined && (
        <ItemDialog
          section={open.section}
          item={
            open.index === undefined ? undefined : itemsOf(document, open.section.name)[open.index]
          }
          taken={itemsOf(document, open.section.name)
            .filter((_, index) => index !== open.index)
            .map(nameOfItem)}
          problemOf={(field) => problems.get(`${open.section.name}.${open.index}.${field}`)}
          onApply={(item) => {
            const index = open.index ?? itemsOf(document, open.section.name).length;
            edit(withItem(document, open.section.name, index, item));
            setOpen(undefined);
          }}
          onClose={() => {
            if (!open.wasStored) draft.discard();
            setOpen(undefined);
          }}
        />
      )}
      {isSaving && read.kind === "value" && (
        <SaveDialog
          draft={draft}
          document={read.value}
          differences={differences}
          placeOf={(field) => edited && placeOf(edited, field)?.label}
          onRefused={(fields) => setRefused({ document: read.value, fields })}
          onGoToForm={goToForm}
          onGoToLine={goToLine}
          onClose={() => setIsSaving(false)}
        />
      )}
    </>
  );
}

/** The content of a tab. It is rendered only while the tab is chosen. */
const showing = (content: ReactNode) => () => content;

function ConflictNotice({ draft }: { readonly draft: CatalogueDraft }) {
  return (
    <Notice
      tone="warn"
      isAnnounced
      title="Another operator saved the catalogue"
      actions={
        <>
          <Button size="small" onClick={draft.rebase}>
            Keep my version
          </Button>
          <Button size="small" onClick={draft.discard}>
            Discard my version
          </Button>
        </>
      }
    >
      <p>
        Your changes are still here, now compared with the saved version. Before you continue, check
        that you do not undo the other operator's changes.
      </p>
    </Notice>
  );
}
