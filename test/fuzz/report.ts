import type { Engine } from "#server/ports/db.ts";
import type { Draft } from "./draft.ts";
import type { WireAnswer } from "./http-answers.ts";

interface Failure {
  readonly engine: Engine;
  readonly seed: number;
  readonly draft: Draft;
  readonly bytes: Buffer;
  readonly faults: readonly string[];
  readonly answer: WireAnswer | undefined;
}

const maxShown = 3_000;

/** Everything needed to understand a failure and repeat the request. */
export function describeFailure({ engine, seed, draft, bytes, faults, answer }: Failure): string {
  const { number, operationId, listener, mutations } = draft;
  return [
    `request ${number} (${operationId}, ${listener} listener): ${faults.join("; ")}`,
    `  mutations: ${mutations.join(", ") || "none"}`,
    `  to repeat: npm run fuzz -- --engine ${engine} --seed ${seed} --number ${number}`,
    `  sent: ${shown(bytes)}`,
    answer === undefined
      ? "  no answer"
      : `  answer: ${answer.statusLine} ${JSON.stringify(answer.headers)} ${shown(answer.body)}`,
  ].join("\n");
}

/** The bytes as readable text, truncated if they are long. */
export function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString("latin1", 0, maxShown));
  return bytes.length > maxShown ? `${text}… (${bytes.length} bytes)` : text;
}
