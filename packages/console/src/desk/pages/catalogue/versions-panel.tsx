import type { Version } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { diffCatalogue } from "./diff-catalogue.ts";
import { DifferenceList } from "./difference-list.tsx";
import type { CatalogueDocument } from "./offer-rows.ts";

/** Who saved the catalogue when, what each save changed, and a way back. */
export function VersionsPanel({
  onRestore,
}: {
  /** Missing for operators who cannot save. */
  readonly onRestore: ((document: CatalogueDocument) => void) | undefined;
}) {
  const versions = useQuery(reads.catalogueVersions);
  const [open, setOpen] = useState<number>();
  return (
    <Panel isFlush title="Versions" description="The latest 100 saves, newest first.">
      <Loaded query={versions}>
        {({ versions: list }) =>
          list.length === 0 ? (
            <EmptyState title="Never saved" />
          ) : (
            <Table
              label="Versions"
              isDense
              columns={columnsWith(setOpen)}
              rows={list}
              keyOf={({ version }) => String(version)}
            />
          )
        }
      </Loaded>
      {open !== undefined && (
        <VersionDialog
          version={open}
          onRestore={
            onRestore &&
            ((document) => {
              setOpen(undefined);
              onRestore(document);
            })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  );
}

function columnsWith(onOpen: (version: number) => void): readonly Column<Version>[] {
  return [
    {
      title: "Version",
      isHeading: true,
      cell: ({ version }) => (
        <>
          <span className="hidden card:inline">Version </span>
          {version}
        </>
      ),
    },
    { title: "Saved", place: "labelled", cell: ({ savedAt }) => <Time at={savedAt} /> },
    { title: "By", place: "labelled", cell: ({ savedBy }) => savedBy ?? "the server" },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: ({ version }) => (
        <Button size="small" onClick={() => onOpen(version)}>
          View changes<span className="sr-only"> of version {version}</span>
        </Button>
      ),
    },
  ];
}

function VersionDialog({
  version,
  onRestore,
  onClose,
}: {
  readonly version: number;
  readonly onRestore: ((document: CatalogueDocument) => void) | undefined;
  readonly onClose: () => void;
}) {
  const saved = useQuery(reads.savedCatalogue(version));
  // The version before the first one that was kept is unknown.
  const before = useQuery({
    ...reads.savedCatalogue(version - 1),
    enabled: version > 1,
    retry: false,
  });
  const isCompared = version === 1 || !before.isPending;
  const previous = before.data?.document ?? {};
  return (
    <Dialog
      isOpen
      title={`Version ${version}`}
      description={
        <p>
          {before.isError
            ? "The version before it is not known, so everything is listed. "
            : "What this save changed. "}
          Restoring loads the version into the editor, for you to review and save.
        </p>
      }
      onClose={onClose}
    >
      <Loaded query={saved}>
        {({ document }) => (
          <>
            <div className="-mx-5 sm:-mx-6">
              {isCompared && <DifferenceList differences={diffCatalogue(previous, document)} />}
            </div>
            <DialogActions>
              <Button onClick={onClose}>Close</Button>
              {onRestore !== undefined && (
                <Button variant="primary" onClick={() => onRestore(document)}>
                  Restore this version
                </Button>
              )}
            </DialogActions>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
