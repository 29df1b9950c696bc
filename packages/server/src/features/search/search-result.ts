import type { searchKinds, searchMatches } from "@ironlease/contract";

export interface SearchResult {
  readonly kind: (typeof searchKinds)[number];
  readonly id: string;
  /** The username, host name, asset tag or subject. */
  readonly name: string | null;
  readonly state: string | null;
  /** The customer's username. */
  readonly username: string | null;
  readonly matchedBy: (typeof searchMatches)[number];
  readonly matched: string;
}
