import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseDriver } from "./etcd-driver.ts";

test("Patroni older than 3.0.3 is refused with the etcd3 driver", () => {
  for (const version of ["2.1.9", "3.0", "3.0.2"]) {
    assert.throws(() => chooseDriver(version, "etcd3"), /loses acknowledged writes/);
    assert.equal(chooseDriver(version), "etcd");
  }
  for (const version of ["3.0.3", "3.1", "4.0.4"]) {
    assert.equal(chooseDriver(version), "etcd3");
    assert.equal(chooseDriver(version, "etcd"), "etcd");
  }
});
