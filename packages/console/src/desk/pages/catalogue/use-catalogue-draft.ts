import { useDraft } from "#data/use-draft.ts";
import type { CatalogueVersion } from "#desk/data/reads.ts";

interface Draft {
  readonly text: string;
  /** The version that the text is based on. */
  readonly etag: string;
}

/** A catalogue as text to edit. */
export function textOf(document: CatalogueVersion["document"]): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * The edited text, stored with the version it is based on. Without that version, a reload would mix
 * another operator's changes into the draft.
 */
export function useCatalogueDraft(current: CatalogueVersion) {
  const [stored, store] = useDraft("catalogue");
  const draft = readDraft(stored);
  const text = draft?.text ?? textOf(current.document);
  const etag = draft?.etag ?? current.etag;
  return {
    text,
    etag,
    /** There is a draft, even if it changes nothing. */
    isStored: draft !== undefined,
    isChanged: draft !== undefined && text !== textOf(current.document),
    /** Another operator saved since the draft was started. */
    isOutdated: etag !== current.etag,
    edit: (next: string) => store(JSON.stringify({ text: next, etag })),
    /** Keeps the text and bases it on the current version. */
    rebase: () => store(JSON.stringify({ text, etag: current.etag })),
    discard: () => store(""),
  };
}

export type CatalogueDraft = ReturnType<typeof useCatalogueDraft>;

function readDraft(stored: string): Draft | undefined {
  if (stored === "") return undefined;
  try {
    return JSON.parse(stored) as Draft;
  } catch {
    return undefined;
  }
}
