import { sql } from "kysely";
import type { Db } from "#server/ports/db.ts";
import type { Schema } from "#server/ports/schema.ts";

/** A request, with everything needed to repeat it. */
export interface Call {
  readonly side: "account" | "desk";
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A row that must exist (1) or must not exist (0) once a change is acknowledged. */
export interface Fact {
  readonly table: keyof Schema;
  readonly where: Readonly<Record<string, string | number>>;
  readonly rows: 0 | 1;
}

/** A change that the service has acknowledged. */
export interface Acknowledgement {
  readonly call: Call;
  readonly status: number;
  readonly body: unknown;
  readonly facts: readonly Fact[];
  /** Credentials that must work from then on. */
  readonly signIn?: { readonly username: string; readonly password: string };
}

/** Notes in the write log: the start of a run, a change about to be sent, and an acknowledged change. */
export type Note =
  | { readonly began: number }
  | { readonly sent: number; readonly call: Call }
  | { readonly acknowledged: number; readonly acknowledgement: Acknowledgement };

export function keyOf({ headers }: Call): string | undefined {
  return headers?.["idempotency-key"];
}

export const present = (table: keyof Schema, where: Fact["where"]): Fact => ({
  table,
  where,
  rows: 1,
});

export const absent = (table: keyof Schema, where: Fact["where"]): Fact => ({
  table,
  where,
  rows: 0,
});

/** Lists acknowledged changes that the database does not have. */
export async function lostChanges(
  db: Db,
  acknowledgements: readonly Acknowledgement[],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { call, status, facts } of acknowledgements) {
    for (const fact of facts) {
      if (await holds(db, fact)) continue;
      const row = `${fact.table} ${JSON.stringify(fact.where)}`;
      const found = fact.rows === 1 ? "missing" : "still present";
      lost.push(`${call.method} ${call.path} was answered ${status}, but ${row} is ${found}`);
    }
  }
  return lost;
}

/** Tables with rows that customers create with a key, whose answers name them. */
const keyedTables = { orders: "id", deposit_addresses: "address" } as const;

type KeyedTable = keyof typeof keyedTables;

/** Finds rows that no answer named: a request that took effect twice leaves one. */
export class UnexpectedRows {
  readonly #before: ReadonlySet<string>;

  private constructor(before: ReadonlySet<string>) {
    this.#before = before;
  }

  static async since(db: Db): Promise<UnexpectedRows> {
    return new UnexpectedRows(new Set(await keyedRows(db)));
  }

  /** Every change with a key must have been answered. */
  async find(db: Db, acknowledgements: readonly Acknowledgement[]): Promise<readonly string[]> {
    const named = acknowledgements.flatMap(({ facts }) =>
      facts.flatMap(({ table, where }) => {
        const column = (keyedTables as Partial<Record<string, string>>)[table];
        return column === undefined ? [] : [`${table} ${where[column]}`];
      }),
    );
    const known = new Set([...this.#before, ...named]);
    const rows = await keyedRows(db);
    return rows.filter((row) => !known.has(row)).map((row) => `no answer named ${row}`);
  }
}

async function keyedRows(db: Db): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const [table, column] of Object.entries(keyedTables) as [KeyedTable, string][]) {
    const found = await sql<{ id: string }>`
      select ${sql.ref(column)} as id from ${sql.table(table)}
    `.execute(db.read);
    rows.push(...found.rows.map(({ id }) => `${table} ${id}`));
  }
  return rows;
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
