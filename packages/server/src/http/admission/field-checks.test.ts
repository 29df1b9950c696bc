import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { limits, operations, type Operation } from "@ironlease/contract";
import { sampleOf } from "@ironlease/reference";
import { compileFieldCheck } from "./field-checks.ts";

const checkRegistration = compileFieldCheck(operations.register.body);
const checkMachines = compileFieldCheck(operations.addMachines.body);

/** More errors than an answer shows, but far fewer than a body can contain. */
const fewDozen = 4 * limits.fieldErrors;

test("every example request in the reference passes the check", () => {
  for (const [id, { body }] of Object.entries<Operation>(operations)) {
    if (body !== undefined) assert.deepEqual(compileFieldCheck(body)(sampleOf(body)), [], id);
  }
});

describe("checking a body with thousands of errors", () => {
  test("stops at a few dozen unknown fields", () => {
    let checked = 0;
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 0]));
    const body = new Proxy(fields, {
      getOwnPropertyDescriptor: (target, name) => {
        checked += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    const faults = checkRegistration(body);
    assert.ok(checked <= fewDozen, `checked ${checked} fields`);
    assert.ok(faults.length >= limits.fieldErrors && faults.length <= fewDozen);
    assert.deepEqual(
      faults.slice(0, 3).map(({ field, message }) => `${field} ${message}`),
      ["username is required", "password is required", "f0 is not a known field"],
    );
  });

  test("stops at a few dozen invalid list items", () => {
    let checked = 0;
    const machine = () => {
      checked += 1;
      return 0;
    };
    const machines = Array.from({ length: limits.machinesAtOnce }, () => 0);
    for (const index of machines.keys()) Object.defineProperty(machines, index, { get: machine });
    const faults = checkMachines({ machines });
    assert.ok(checked <= fewDozen, `checked ${checked} items`);
    assert.ok(faults.length >= limits.fieldErrors && faults.length <= fewDozen);
  });

  test("a valid list of any length passes, and its last item is checked", () => {
    const machines = Array.from({ length: limits.machinesAtOnce }, (_, i) => ({
      assetTag: `T${i}`,
      configId: "metal-s",
      regionId: "fra",
    }));
    assert.deepEqual(checkMachines({ machines }), []);
    const last = machines.length - 1;
    assert.deepEqual(
      checkMachines({ machines: machines.with(last, { ...machines[0]!, assetTag: "" }) }).map(
        ({ field }) => field,
      ),
      [`machines.${last}.assetTag`],
    );
  });
});
