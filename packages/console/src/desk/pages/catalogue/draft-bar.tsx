import { Button } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { Download } from "#ui/icons.ts";
import type { CatalogueDocument } from "./offer-rows.ts";
import { textOf, type CatalogueDraft } from "./use-catalogue-draft.ts";

/** Says how much is not saved yet, and stays in view over every part of the catalogue. */
export function DraftBar({
  draft,
  saved,
  isReadable,
  changes,
  onSave,
}: {
  readonly draft: CatalogueDraft;
  readonly saved: CatalogueDocument;
  readonly isReadable: boolean;
  readonly changes: number;
  /** Missing for operators who cannot save. */
  readonly onSave: (() => void) | undefined;
}) {
  return (
    <div className="sticky top-[calc(var(--shell-top)+0.5rem)] z-20 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-5 py-2 shadow-panel sm:px-6">
      <p role="status" className="text-sm font-medium">
        {isReadable ? countText(changes) : "Invalid JSON"}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="quiet"
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => download("catalogue.json", "application/json", textOf(saved))}
        >
          Download
        </Button>
        {onSave !== undefined && (
          <>
            <Button size="small" disabled={!draft.isChanged} onClick={draft.discard}>
              Discard
            </Button>
            <Button
              size="small"
              variant="primary"
              disabled={!isReadable || changes === 0 || draft.isOutdated}
              onClick={onSave}
            >
              Review and save
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

function countText(changes: number): string {
  if (changes === 0) return "No unsaved changes";
  return changes === 1 ? "1 unsaved change" : `${changes} unsaved changes`;
}
