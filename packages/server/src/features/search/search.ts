import type { Core } from "#kernel/core.ts";
import { assignedAddress } from "#kernel/assigned-address.ts";
import { findAddress } from "./find-address.ts";
import { findId } from "./find-id.ts";
import { findText } from "./find-text.ts";
import type { SearchResult } from "./search-result.ts";

const identifier = /^([a-z]{3})_[0-7][0-9a-z]{25}$/i;

/** Finds what an operator may mean by a text. Takes one statement, whose every part is one lookup in an index. */
export async function search(core: Core, query: string): Promise<readonly SearchResult[]> {
  const text = query.trim();
  if (text === "") return [];
  const [, prefix] = identifier.exec(text) ?? [];
  if (prefix !== undefined) return findId(core, prefix.toLowerCase(), text.toLowerCase());
  const address = assignedAddress(text);
  return address === undefined ? findText(core, text) : findAddress(core, address);
}
