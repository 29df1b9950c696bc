import { sql } from "kysely";
import type { Db } from "#server/ports/db.ts";
import type { Schema } from "#server/ports/schema.ts";

/** A request, with all that it takes to send it again. */
export interface Call {
  readonly side: "account" | "desk";
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rows that are there, or are gone, from the moment on at which a change was acknowledged. */
export interface Fact {
  readonly table: keyof Schema;
  readonly where: Readonly<Record<string, string | number>>;
  readonly rows: 0 | 1;
}

/** A change that a client was told has been made. */
export interface Acknowledgement {
  readonly call: Call;
  readonly status: number;
  readonly body: unknown;
  readonly facts: readonly Fact[];
  /** A password that is in force from then on. */
  readonly signIn?: { readonly username: string; readonly password: string };
}

/**
 * What is written down beside the writes: that a run began and when, that a change is about to be
 * sent, and that a client was told that it has been made.
 */
export type Note =
  | { readonly began: number }
  | { readonly sent: number; readonly call: Call }
  | { readonly acknowledged: number; readonly acknowledgement: Acknowledgement };

export function keyOf({ headers }: Call): string | undefined {
  return headers?.["idempotency-key"];
}

export const there = (table: keyof Schema, where: Fact["where"]): Fact => ({
  ...{ table, where },
  rows: 1,
});

export const gone = (table: keyof Schema, where: Fact["where"]): Fact => ({
  ...{ table, where },
  rows: 0,
});

/** What was acknowledged and is not so, a line each; empty when all of it holds. */
export async function lostIn(
  db: Db,
  acknowledgements: readonly Acknowledgement[],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { call, status, facts } of acknowledgements) {
    for (const fact of facts) {
      if (await holds(db, fact)) continue;
      const row = `${fact.table} ${JSON.stringify(fact.where)}`;
      const found = fact.rows === 1 ? "missing" : "still there";
      lost.push(`${call.method} ${call.path} was answered ${status}, but ${row} is ${found}`);
    }
  }
  return lost;
}

async function holds(db: Db, { table, where, rows }: Fact): Promise<boolean> {
  const conditions = Object.entries(where).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  const counted = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}
  `.execute(db.read);
  return counted.rows[0]?.rows === rows;
}
