import type { ReplaceCatalogueRequest } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { apiErrorOf } from "#data/api-errors.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads, versionOf } from "#desk/data/reads.ts";
import type { Difference } from "./diff-catalogue.ts";
import { DifferenceList } from "./difference-list.tsx";
import { lineAt, offsetOf } from "./json-text.ts";
import type { CatalogueDraft } from "./use-catalogue-draft.ts";

/** Asks for confirmation before customers see the changes. */
export function SaveDialog({
  draft,
  document,
  differences,
  onGoTo,
  onClose,
}: {
  readonly draft: CatalogueDraft;
  readonly document: unknown;
  readonly differences: readonly Difference[];
  /** Moves the caret to a problem. */
  readonly onGoTo: (at: number) => void;
  readonly onClose: () => void;
}) {
  const save = useSave(draft);
  const count = differences.length === 1 ? "1 change" : `${differences.length} changes`;
  return (
    <Dialog
      isOpen
      title={`Save ${count}?`}
      description={<p>Customers see the changes at once. Existing servers keep their prices.</p>}
      onClose={onClose}
    >
      {save.error !== null && <Problems error={save.error} text={draft.text} onGoTo={onGoTo} />}
      <div className="-mx-5 sm:-mx-6">
        <DifferenceList differences={differences} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep editing</Button>
        <Button
          variant="primary"
          isPending={save.isPending}
          disabled={draft.isOutdated}
          onClick={() => save.mutate(document as ReplaceCatalogueRequest, { onSuccess: onClose })}
        >
          Save catalogue
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useSave({ etag, discard }: CatalogueDraft) {
  const queries = useQueryClient();
  return useChange(
    async (request: ReplaceCatalogueRequest) => {
      const saved = await client.replaceCatalogue(request, { ifMatch: etag });
      queries.setQueryData(reads.catalogueVersion.queryKey, versionOf(saved));
      discard();
    },
    [keys.catalogue],
  );
}

/** Validation errors by line. A click goes to the line. */
function Problems({
  error,
  text,
  onGoTo,
}: {
  readonly error: unknown;
  readonly text: string;
  readonly onGoTo: (at: number) => void;
}) {
  const fields = apiErrorOf(error)?.fields ?? [];
  return (
    <>
      <ErrorNotice
        error={error}
        title={fields.length > 0 ? "Fix the lines below" : undefined}
        shownFields={fields.map(({ field }) => field)}
      />
      {fields.length > 0 && (
        <ul aria-label="Problems" className="flex flex-col gap-1 text-sm">
          {fields.map(({ field, message }) => {
            const at = offsetOf(text, field);
            return (
              <li key={field} className="flex flex-wrap items-baseline gap-x-2">
                <button
                  type="button"
                  className="rounded-sm font-medium underline underline-offset-4"
                  onClick={() => onGoTo(at)}
                >
                  Line {lineAt(text, at)}
                </button>
                <span className="min-w-0 break-words">
                  <code className="font-mono text-xs">{field}</code> {message}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
