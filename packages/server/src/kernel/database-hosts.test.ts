import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseHosts } from "./database-hosts.ts";

test("a URL of several hosts becomes one URL for each, with the same user, database and parameters", () => {
  const parameters = "?sslmode=verify-full&target_session_attrs=read-write";
  assert.deepEqual(databaseHosts(`postgres://u:p%40w@one:5432,[::2],three/d${parameters}`), [
    `postgres://u:p%40w@one:5432/d${parameters}`,
    `postgres://u:p%40w@[::2]/d${parameters}`,
    `postgres://u:p%40w@three/d${parameters}`,
  ]);
  for (const url of [
    "postgres://u@one/d",
    "postgresql://one/d?target_session_attrs=read-write",
    "postgres:///d?host=/var/run/postgresql",
    "postgres://u@%2Fvar%2Frun%2Fpostgresql/d",
  ]) {
    assert.deepEqual(databaseHosts(url), [url]);
  }
});

test("several hosts need target_session_attrs=read-write, and no other value is accepted", () => {
  const wanted = /^must have target_session_attrs=read-write/;
  for (const parameters of ["", "?target_session_attrs=any", "?target_session_attrs=primary"]) {
    assert.throws(() => databaseHosts(`postgres://one,two/d${parameters}`), { message: wanted });
  }
  assert.throws(() => databaseHosts("postgres://one/d?target_session_attrs=read-only"), {
    message: wanted,
  });
});

test("other addresses, empty hosts and several hosts in a parameter are refused", () => {
  for (const url of [
    "mysql://one/d",
    "postgres://one,two:x/d?target_session_attrs=read-write",
    "postgres://one,/d?target_session_attrs=read-write",
    "postgres://u@/d?host=one,two&target_session_attrs=read-write",
    "",
  ]) {
    assert.throws(() => databaseHosts(url), { message: /^must / }, url);
  }
});
