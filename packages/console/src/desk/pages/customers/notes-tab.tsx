import type { AddAccountNoteRequest } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useDraft } from "#data/use-draft.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { TextArea } from "#ui/field.tsx";
import { useFilters } from "#ui/filters.ts";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { Pager } from "#ui/pager.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Time } from "#ui/time.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";

/** What operators noted about an account. */
export function NotesTab({ id, isClosed }: { readonly id: string; readonly isClosed: boolean }) {
  const notes = useQuery(reads.accountNotes(id, useFilters().get("after")));
  return (
    <>
      {!isClosed && (
        <div className="max-w-2xl p-5 sm:px-6">
          <AddNoteForm id={id} />
        </div>
      )}
      <Loaded query={notes}>
        {({ notes: list }) =>
          list.length === 0 ? (
            <EmptyState title="No notes" />
          ) : (
            <>
              <ol aria-label="Notes" className="divide-y divide-line border-t border-line">
                {list.map(({ id: noteId, createdAt, operator, text }) => (
                  <li key={noteId} className="flex flex-col gap-1 px-5 py-3 text-sm sm:px-6">
                    <span className="text-xs text-quiet">
                      {operator}, <Time at={createdAt} />
                    </span>
                    <p className="max-w-prose whitespace-pre-wrap wrap-anywhere">{text}</p>
                  </li>
                ))}
              </ol>
              <Pager rows={list} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function AddNoteForm({ id }: { readonly id: string }) {
  const [text, setText] = useDraft(`account-note/${id}`);
  const add = useIdempotentChange(
    `account-note/${id}`,
    async (request: AddAccountNoteRequest, options) => {
      await client.addAccountNote(request, options);
      setText("");
    },
    [keys.accounts],
  );
  return (
    <IdempotentForm
      label="Add note"
      what="Your note"
      submitLabel="Add note"
      change={add}
      request={{ id, text }}
      isComplete={text.trim() !== ""}
    >
      <TextArea
        name="text"
        label="Note"
        hint="For operators only. It cannot be changed later."
        rows={3}
        value={text}
        onChange={setText}
      />
    </IdempotentForm>
  );
}
