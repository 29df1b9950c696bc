import type { Server } from "@ironlease/client";
import { InlineEditor } from "#ui/inline-editor.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Names a server. */
export function LabelEditor({ server: { id, label } }: { readonly server: Server }) {
  return (
    <InlineEditor
      value={label}
      field="label"
      what="label"
      placeholder="Shop database (empty to clear)"
      maxLength={64}
      send={(value) => client.setLabel({ id, label: value })}
      refreshes={[reads.servers.queryKey]}
    />
  );
}
