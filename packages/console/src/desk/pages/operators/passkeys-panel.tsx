import { useQuery } from "@tanstack/react-query";
import { PasskeysPanel } from "#app/passkeys/passkeys-panel.tsx";
import { reads } from "#desk/data/reads.ts";
import { operatorPasskeys } from "./operator-passkeys.ts";

export function OperatorPasskeys() {
  return <PasskeysPanel source={{ ...operatorPasskeys, passkeys: useQuery(reads.passkeys) }} />;
}
