import { useQuery } from "@tanstack/react-query";
import { PasskeysPanel } from "#app/passkeys/passkeys-panel.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

export function AccountPasskeys() {
  const passkeys = useQuery(reads.passkeys);
  return (
    <PasskeysPanel
      source={{
        passkeys,
        refreshes: [reads.passkeys.queryKey],
        begin: () => client.beginPasskey(),
        finish: (request) => client.finishPasskey(request),
        remove: (request) => client.removePasskey(request),
      }}
    />
  );
}
