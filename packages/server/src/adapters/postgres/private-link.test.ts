import assert from "node:assert/strict";
import { test } from "node:test";
import { isPrivateLink } from "./private-link.ts";

test("a connection is private if it is local or verifies the server's certificate", () => {
  for (const url of [
    "postgres://u:p@localhost/d",
    "postgres://u:p@127.0.0.1:5433/d",
    "postgres://u:p@[::1]/d",
    "postgres://u@%2Fvar%2Frun%2Fpostgresql/d",
    "postgres:///d?host=/var/run/postgresql",
    "postgres://u:p@db.internal/d?sslmode=verify-full",
    "postgres://u:p@10.0.0.5/d?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem",
    "postgres://u:p@db.internal/d?ssl=true",
  ]) {
    assert.equal(isPrivateLink(url), true, url);
  }
});

test("a network connection without TLS, or with TLS that does not verify the certificate, is not private", () => {
  for (const url of [
    "postgres://u:p@db.internal/d",
    "postgres://u:p@10.0.0.5:5432/d",
    "postgres://u:p@localhost/d?host=db.internal",
    ...["disable", "prefer", "require", "verify-ca", "no-verify"].map(
      (mode) => `postgres://u:p@db.internal/d?ssl=true&sslmode=${mode}`,
    ),
  ]) {
    assert.equal(isPrivateLink(url), false, url);
  }
});
