import { detailsOf } from "@ironlease/client";

export interface Key {
  readonly idempotencyKey: string;
}

/** The answer to a write, with the key it was sent with and whether it is the answer to an earlier copy. */
export function written<Answer extends object>(
  answer: Answer,
  { idempotencyKey }: Key,
): Answer & Key & { readonly isReplay: boolean } {
  return { ...answer, idempotencyKey, isReplay: detailsOf(answer)?.isReplay ?? false };
}

/** Said after what was asked for, when nothing new has happened. */
export function replayLines({ isReplay }: { readonly isReplay: boolean }): readonly string[] {
  return isReplay ? ["It was recorded before under this key; nothing has happened twice."] : [];
}
