import type { Assignment } from "@ironlease/client";
import { InlineEditor } from "#ui/inline-editor.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Edits the reverse DNS name of an address in place. An empty name clears the record. */
export function PtrEditor({
  assignment: { id, address, ptr },
}: {
  readonly assignment: Assignment;
}) {
  return (
    <InlineEditor
      value={ptr}
      field="ptr"
      what={`reverse DNS name of ${address}`}
      placeholder="host.example.com (empty to clear)"
      isIdentifier
      send={(value) => client.setReverseDns({ id, ptr: value })}
      refreshes={[reads.network.queryKey, reads.servers.queryKey]}
    />
  );
}
