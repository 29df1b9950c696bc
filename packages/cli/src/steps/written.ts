import { detailsOf } from "@ironlease/client";

export interface Key {
  readonly idempotencyKey: string;
}

/** The response to a write, with its idempotency key and whether it replays an earlier response. */
export function written<Answer extends object>(
  answer: Answer,
  { idempotencyKey }: Key,
): Answer & Key & { readonly isReplay: boolean } {
  return { ...answer, idempotencyKey, isReplay: detailsOf(answer)?.isReplay ?? false };
}

/** Explains a replayed response. */
export function replayLines({ isReplay }: { readonly isReplay: boolean }): readonly string[] {
  return isReplay ? ["Already recorded under this key; nothing happened twice."] : [];
}
