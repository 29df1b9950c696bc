import { accepted, rejected, type Checked } from "#kernel/checked.ts";

/** The version of a document as its `etag` says it. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** An entity tag up to the comma after it, or nothing where a list has an empty member. */
const member = /[ \t]*(?:(W\/)?"([!#-~\u0080-\u00ff]*)"[ \t]*)?(?:,|$)/y;
const ownTag = /^(?:0|[1-9]\d{0,14})$/;

/**
 * Which versions an `if-match` allows (RFC 9110, 13.1.1): those of its strong tags, or any when it is
 * `*`. Tags are compared strongly, so a weak one allows none; one that was never given out allows none
 * either, and is no mistake of form.
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

const malformed = 'must be *, or an etag as it was given, such as "7", or several with commas';
