import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorOperations } from "@ironlease/contract";
import { isRoleAtLeast, requiredRoles } from "./roles.ts";

test("the desk offers each role exactly what the contract allows", () => {
  const restricted = Object.entries(operatorOperations).flatMap(([id, { access }]) =>
    access.kind === "operator" && access.role !== "support" ? [[id, access.role]] : [],
  );
  assert.deepEqual(requiredRoles, Object.fromEntries(restricted));
});

test("a role includes the roles below it", () => {
  assert.ok(isRoleAtLeast("admin", "finance"));
  assert.ok(isRoleAtLeast("finance", "finance"));
  assert.ok(!isRoleAtLeast("support", "finance"));
});
