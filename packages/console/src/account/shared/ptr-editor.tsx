import type { Assignment } from "@ironlease/client";
import { Badge } from "#ui/badge.tsx";
import { InlineEditor } from "#ui/inline-editor.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Edits the reverse DNS name of an address in place. An empty name clears the record. */
export function PtrEditor({ assignment }: { readonly assignment: Assignment }) {
  const { id, address, ptr } = assignment;
  return (
    <InlineEditor
      value={ptr}
      field="ptr"
      what={`reverse DNS name of ${address}`}
      placeholder="host.example.com (empty to clear)"
      isIdentifier
      state={<Published assignment={assignment} />}
      send={(value) => client.setReverseDns({ id, ptr: value })}
      refreshes={[reads.network.queryKey, reads.servers.queryKey]}
    />
  );
}

/** Whether the name servers answer the setting. Nothing where no DNS server is connected. */
function Published({ assignment: { ptr, ptrPublished } }: { readonly assignment: Assignment }) {
  if (ptrPublished === null) return null;
  if (ptrPublished.ptr !== ptr) return <Badge tone="wait">Pending</Badge>;
  return ptr === "" ? null : <Badge tone="good">Published</Badge>;
}
