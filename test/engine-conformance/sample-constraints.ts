import { sql } from "kysely";
import type { MigrationStep, Tx } from "#server/ports/db.ts";
import { accountRow, addCounter, apiKeyRow, sshKeyRow } from "./rows.ts";

/**
 * Tables with kinds of constraints that the service's own tables lack. No statement below violates two
 * constraints, because the engines differ in which one they report.
 */
export const sampleTables: MigrationStep = {
  name: "9999-samples",
  statements: ({ integer, strict }) => [
    `create table racks (
       region text not null,
       label text not null,
       slot ${integer} not null,
       retired_at ${integer},
       constraint racks_pkey primary key (region, label),
       constraint racks_region_slot_unique unique (region, slot)
     )${strict}`,
    "create unique index racks_slot_unique on racks (slot) where retired_at is null",
    `create table blades (
       id ${integer} primary key,
       region text not null,
       label text not null,
       serial text not null,
       foreign key (region, label) references racks (region, label) on delete restrict
     )${strict}`,
    "create unique index blades_lower_serial_unique on blades (lower(serial))",
  ],
};

interface Sample {
  readonly what: string;
  readonly constraint: string;
  /** Only the last statement violates the constraint. */
  readonly violate: (tx: Tx) => Promise<unknown>;
}

const rack = (tx: Tx, region: string, label: string, slot: number, retiredAt: number | null) =>
  sql`insert into racks values (${region}, ${label}, ${slot}, ${retiredAt})`.execute(tx);
const blade = (tx: Tx, id: number, serial: string) =>
  sql`insert into blades values (${id}, 'fra', 'one', ${serial})`.execute(tx);

export const violations: readonly Sample[] = [
  {
    what: "a unique column",
    constraint: "accounts_username_unique",
    violate: async (tx) => {
      await tx.insertInto("accounts").values(accountRow("a", "taken")).execute();
      await tx.insertInto("accounts").values(accountRow("b", "taken")).execute();
    },
  },
  {
    what: "a unique column, by an update",
    constraint: "accounts_username_unique",
    violate: async (tx) => {
      await tx
        .insertInto("accounts")
        .values([accountRow("a"), accountRow("b")])
        .execute();
      await tx.updateTable("accounts").set({ username: "a" }).where("id", "=", "b").execute();
    },
  },
  {
    what: "a unique constraint on two columns",
    constraint: "racks_region_slot_unique",
    violate: async (tx) => {
      await rack(tx, "fra", "one", 1, 0);
      await rack(tx, "fra", "two", 1, 0);
    },
  },
  {
    what: "a unique index on an expression",
    constraint: "blades_lower_serial_unique",
    violate: async (tx) => {
      await rack(tx, "fra", "one", 1, null);
      await blade(tx, 1, "ab");
      await blade(tx, 2, "AB");
    },
  },
  {
    what: "a partial unique index",
    constraint: "racks_slot_unique",
    violate: async (tx) => {
      await rack(tx, "fra", "one", 1, null);
      await rack(tx, "ams", "two", 1, 0);
      await rack(tx, "lon", "three", 1, null);
    },
  },
  {
    what: "a primary key",
    constraint: "rate_limits_pkey",
    violate: async (tx) => {
      await addCounter(tx, "same");
      await addCounter(tx, "same");
    },
  },
  {
    what: "an integer primary key",
    constraint: "blades_pkey",
    violate: async (tx) => {
      await rack(tx, "fra", "one", 1, null);
      await blade(tx, 1, "ab");
      await blade(tx, 1, "cd");
    },
  },
  {
    what: "a primary key on two columns",
    constraint: "racks_pkey",
    violate: async (tx) => {
      await rack(tx, "fra", "one", 1, 0);
      await rack(tx, "fra", "one", 2, 0);
    },
  },
  {
    what: "a CHECK",
    constraint: "api_keys_scope_known",
    violate: async (tx) => {
      await tx.insertInto("accounts").values(accountRow("a")).execute();
      await tx
        .insertInto("api_keys")
        .values(apiKeyRow("k", "a", "everything"))
        .execute();
    },
  },
  {
    what: "a CHECK, by an update",
    constraint: "rate_limits_count_not_negative",
    violate: async (tx) => {
      await addCounter(tx, "empty", 0);
      await tx
        .updateTable("rate_limits")
        .set({ count: sql`count - 1` })
        .execute();
    },
  },
  {
    what: "a foreign key without its row",
    constraint: "foreign_key",
    violate: (tx) => tx.insertInto("ssh_keys").values(sshKeyRow("k", "nobody")).execute(),
  },
  {
    what: "a foreign key whose row is deleted",
    constraint: "foreign_key",
    violate: async (tx) => {
      await tx.insertInto("accounts").values(accountRow("a")).execute();
      await tx.insertInto("ssh_keys").values(sshKeyRow("k", "a")).execute();
      await tx.deleteFrom("accounts").where("id", "=", "a").execute();
    },
  },
  {
    what: "a foreign key that restricts deletion",
    constraint: "foreign_key",
    violate: async (tx) => {
      await rack(tx, "fra", "one", 1, null);
      await blade(tx, 1, "ab");
      await sql`delete from racks`.execute(tx);
    },
  },
];
