import type { Authenticator } from "#test/authenticator.ts";

/** How a customer signs in, and their sessions. The client knows all of it from earlier answers. */
export interface ModelAccess {
  isClosed: boolean;
  /** Number of the current password. */
  password: number;
  recoveryCode: string;
  /** Oldest first. */
  sessions: readonly ModelSession[];
  /** The latest session, which may have ended. The client sends it with every request. */
  session: ModelSession;
  /** The secret of a second factor that is being set up. */
  pending: ModelSecret | undefined;
  factor: ModelFactor | undefined;
  passkeys: readonly ModelPasskey[];
  /** Passkeys that are still on a device. */
  readonly removed: ModelPasskey[];
}

export interface ModelSession {
  readonly id: string;
  readonly signedInAt: number;
}

interface ModelSecret {
  readonly secret: string;
  /** As the service stores it. */
  readonly sealed: string;
}

interface ModelFactor extends ModelSecret {
  /** The time step of the last code that was used. */
  readonly lastStep: number;
  readonly codes: readonly string[];
}

export interface ModelPasskey {
  readonly id: string;
  readonly authenticator: Authenticator;
  counter: number;
  /** What the device signed last. */
  answer: ReturnType<Authenticator["get"]> | undefined;
}

/** What the client has when it sends a request. */
export interface Sent {
  readonly session: ModelSession;
  readonly password: number;
  readonly recoveryCode: string;
  readonly secret: string | undefined;
  readonly pendingSecret: string | undefined;
  /** A recovery code of the second factor. */
  readonly code: string | undefined;
  readonly passkey: ModelPasskey | undefined;
  /** A device for a new passkey. */
  readonly authenticator: Authenticator | undefined;
  readonly addressId: string;
}

export function newAccess(session: ModelSession, recoveryCode: string): ModelAccess {
  return {
    isClosed: false,
    password: 0,
    recoveryCode,
    sessions: [session],
    session,
    pending: undefined,
    factor: undefined,
    passkeys: [],
    removed: [],
  };
}

export function passwordText(password: number): string {
  return `pass phrase number ${password}`;
}

export function isSignedIn({ sessions }: ModelAccess, session: ModelSession): boolean {
  return sessions.includes(session);
}

/** What the service stores about the access to an account. */
export interface StoredAccess {
  readonly isClosed: boolean;
  readonly passwordHash: string;
  readonly pending: string | null;
  readonly active: string | null;
  readonly lastStep: number;
  readonly codes: number;
  readonly passkeys: readonly { readonly id: string; readonly counter: number }[];
  readonly sessions: readonly string[];
}

/** What the service should store. */
export function expectedAccess(access: ModelAccess): StoredAccess {
  const { isClosed, password, pending, factor, passkeys, sessions } = access;
  return {
    isClosed,
    passwordHash: isClosed ? "" : `plain ${passwordText(password)}`,
    pending: pending?.sealed ?? null,
    active: factor?.sealed ?? null,
    lastStep: factor?.lastStep ?? 0,
    codes: factor?.codes.length ?? 0,
    passkeys: passkeys.map(({ id, counter }) => ({ id, counter })),
    sessions: sessions.map(({ id }) => id),
  };
}
