import type { Passkey } from "@ironlease/client";
import type { QueryKey, UseQueryResult } from "@tanstack/react-query";
import type { NewCredential } from "./browser.ts";

/** The passkeys of a customer or an operator, and the operations that change them. */
export interface PasskeySource {
  readonly passkeys: UseQueryResult<{ readonly passkeys: readonly Passkey[] }>;
  /** The queries that a change makes stale. */
  readonly refreshes: readonly QueryKey[];
  readonly begin: () => Promise<{ readonly options: object }>;
  readonly finish: (request: {
    readonly name: string;
    readonly credential: NewCredential;
  }) => Promise<unknown>;
  readonly remove: (request: { readonly id: string }) => Promise<unknown>;
}
