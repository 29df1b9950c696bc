import type { ReplaceCatalogueRequest } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { refusalOf } from "#data/api-errors.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads, versionOf } from "#desk/data/reads.ts";
import type { Difference } from "./diff-catalogue.ts";
import { DifferenceList } from "./difference-list.tsx";
import { lineAt, placeOf } from "./json-text.ts";
import type { CatalogueDraft } from "./use-catalogue-draft.ts";

/** The last look before customers see it. */
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
  /** Puts the caret where something is wrong. */
  readonly onGoTo: (at: number) => void;
  readonly onClose: () => void;
}) {
  const save = useSave(draft);
  const count = differences.length === 1 ? "1 change" : `${differences.length} changes`;
  return (
    <Dialog
      isOpen
      title={`Save ${count}?`}
      description={<p>Customers see them at once. Living servers keep their prices.</p>}
      onClose={onClose}
    >
      {save.error !== null && <Refused error={save.error} text={draft.text} onGoTo={onGoTo} />}
      <div className="-mx-5 sm:-mx-6">
        <DifferenceList differences={differences} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>Go on editing</Button>
        <Button
          look="primary"
          isPending={save.isPending}
          disabled={draft.isBehind}
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

/** What the service finds wrong, by line; a press goes there. */
function Refused({
  error,
  text,
  onGoTo,
}: {
  readonly error: unknown;
  readonly text: string;
  readonly onGoTo: (at: number) => void;
}) {
  const fields = refusalOf(error)?.fields ?? [];
  return (
    <>
      <ErrorNotice error={error} shownFields={fields.map(({ field }) => field)} />
      {fields.length > 0 && (
        <ul aria-label="What is wrong" className="flex flex-col gap-1 text-sm">
          {fields.map(({ field, message }) => {
            const at = placeOf(text, field);
            return (
              <li key={field} className="flex flex-wrap items-baseline gap-x-2">
                <button
                  type="button"
                  className="rounded-sm font-medium text-accent underline underline-offset-4"
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
