import { useDraft } from "#data/use-draft.ts";
import type { CatalogueVersion } from "#desk/data/reads.ts";

interface Draft {
  readonly text: string;
  /** Of the version that the text was made from. */
  readonly etag: string;
}

export function catalogueText({ document }: CatalogueVersion): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * The text that is being edited, kept through a reload together with the version that it was made
 * from: without that, a reload would make somebody else's change look like part of one's own.
 */
export function useCatalogueDraft(current: CatalogueVersion) {
  const [kept, keep] = useDraft("catalogue");
  const draft = readDraft(kept);
  const text = draft?.text ?? catalogueText(current);
  const etag = draft?.etag ?? current.etag;
  return {
    text,
    etag,
    isChanged: draft !== undefined && text !== catalogueText(current),
    /** Somebody else has saved since the text was begun. */
    isBehind: etag !== current.etag,
    edit: (next: string) => keep(JSON.stringify({ text: next, etag })),
    /** The text stays; what it is compared with, and saved over, is the version of now. */
    rebase: () => keep(JSON.stringify({ text, etag: current.etag })),
    discard: () => keep(""),
  };
}

export type CatalogueDraft = ReturnType<typeof useCatalogueDraft>;

function readDraft(kept: string): Draft | undefined {
  if (kept === "") return undefined;
  try {
    return JSON.parse(kept) as Draft;
  } catch {
    return undefined;
  }
}
