import { accepted, rejected, type Checked } from "#kernel/checked.ts";

/** The etag of a document's version. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** One entity tag and the comma after it, or an empty list member. */
const member = /[ \t]*(?:(W\/)?"([!#-~\u0080-\u00ff]*)"[ \t]*)?(?:,|$)/y;
const ownTag = /^(?:0|[1-9]\d{0,14})$/;

/**
 * The versions that an `if-match` header allows (RFC 9110, section 13.1.1): those of its strong tags, or any for `*`.
 * Weak tags and tags that we never issued match nothing, but are well-formed.
 */
export function readIfMatch(header: string): Checked<readonly number[] | undefined> {
  if (header.trim() === "*") return accepted(undefined);
  const versions: number[] = [];
  let tags = 0;
  for (let at = 0; at < header.length; at = member.lastIndex) {
    member.lastIndex = at;
    const [whole, weak, tag] = member.exec(header) ?? [];
    if (whole === undefined) return rejected(malformed);
    if (tag === undefined) continue;
    tags += 1;
    if (weak === undefined && ownTag.test(tag)) versions.push(Number(tag));
  }
  return tags === 0 ? rejected(malformed) : accepted(versions);
}

const malformed = 'must be * or one or more etags separated by commas, such as "7"';
