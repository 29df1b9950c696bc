import { UnknownSealingKey, type Sealing } from "#ports/sealing.ts";

interface Opening {
  readonly sealing: Sealing;
}

/** Undefined when the text is sealed with a key that the key file lacks. */
export async function openSealed(
  { sealing }: Opening,
  stored: string,
  context: string,
): Promise<string | undefined> {
  try {
    return await sealing.open(stored, context);
  } catch (error) {
    if (error instanceof UnknownSealingKey) return undefined;
    throw error;
  }
}

export interface StoredSecret {
  /** The id of the row. */
  readonly id: string;
  readonly stored: string;
  readonly context: string;
}

export interface Resealed {
  readonly resealed: number;
  /** The rows whose secrets are sealed with a key that the key file lacks. */
  readonly lost: readonly string[];
}

/**
 * Seals with the current key every secret that an older key sealed, so that the older key can be removed. `replace`
 * leaves alone a secret that has changed meanwhile.
 */
export async function reseal<T extends StoredSecret>(
  core: Opening,
  secrets: AsyncIterable<T>,
  replace: (secret: T, sealed: string) => Promise<void>,
): Promise<Resealed> {
  let resealed = 0;
  const lost: string[] = [];
  for await (const secret of secrets) {
    if (await core.sealing.isCurrent(secret.stored)) continue;
    const opened = await openSealed(core, secret.stored, secret.context);
    if (opened === undefined) {
      lost.push(secret.id);
      continue;
    }
    await replace(secret, await core.sealing.seal(opened, secret.context));
    resealed += 1;
  }
  return { resealed, lost };
}

/** The rows whose secrets are sealed with a key that the key file lacks. Changes nothing. */
export async function findLost(
  core: Opening,
  secrets: AsyncIterable<StoredSecret>,
): Promise<readonly string[]> {
  const lost: string[] = [];
  for await (const { id, stored, context } of secrets) {
    if ((await openSealed(core, stored, context)) === undefined) lost.push(id);
  }
  return lost;
}
