import type { FieldError } from "@ironlease/client";
import type { ReplaceCatalogueRequest } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { apiErrorOf } from "#data/api-errors.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads, versionOf } from "#desk/data/reads.ts";
import type { Difference } from "./diff-catalogue.ts";
import { DifferenceList } from "./difference-list.tsx";
import { lineAt, offsetOf } from "./json-text.ts";
import type { CatalogueDraft } from "./use-catalogue-draft.ts";

interface Places {
  /** Where a form has the field. */
  readonly placeOf: (field: string) => string | undefined;
  readonly onGoToForm: (field: string) => void;
  readonly onGoToLine: (field: string) => void;
}

/** Asks for confirmation before customers see the changes. */
export function SaveDialog({
  draft,
  document,
  differences,
  onRefused,
  onClose,
  ...places
}: Places & {
  readonly draft: CatalogueDraft;
  readonly document: unknown;
  readonly differences: readonly Difference[];
  readonly onRefused: (fields: readonly FieldError[]) => void;
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
      {save.error !== null && <Problems error={save.error} text={draft.text} {...places} />}
      <div className="-mx-5 sm:-mx-6">
        <DifferenceList differences={differences} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep editing</Button>
        <Button
          variant="primary"
          isPending={save.isPending}
          disabled={draft.isOutdated}
          onClick={() =>
            save.mutate(document as ReplaceCatalogueRequest, {
              onSuccess: () => {
                toast("Catalogue saved");
                onClose();
              },
              onError: (error) => onRefused(apiErrorOf(error)?.fields ?? []),
            })
          }
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

/** Validation errors. A click goes to the field, or to the line if no form has the field. */
function Problems({
  error,
  text,
  placeOf,
  onGoToForm,
  onGoToLine,
}: Places & { readonly error: unknown; readonly text: string }) {
  const fields = apiErrorOf(error)?.fields ?? [];
  return (
    <>
      <ErrorNotice
        error={error}
        title={fields.length > 0 ? "Fix the fields below" : undefined}
        shownFields={fields.map(({ field }) => field)}
      />
      {fields.length > 0 && (
        <ul aria-label="Problems" className="flex flex-col gap-1 text-sm">
          {fields.map(({ field, message }) => {
            const place = placeOf(field);
            return (
              <li key={field} className="flex flex-wrap items-baseline gap-x-2">
                {place !== undefined && <Go label={place} onClick={() => onGoToForm(field)} />}
                <Go
                  label={`Line ${lineAt(text, offsetOf(text, field))}`}
                  onClick={() => onGoToLine(field)}
                />
                <span className="min-w-0 break-words">
                  {place === undefined && <code className="font-mono text-xs">{field}</code>}{" "}
                  {message}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

function Go({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      className="rounded-sm text-start font-medium underline underline-offset-4"
      onClick={onClick}
    >
      {label}
    </button>
  );
}
