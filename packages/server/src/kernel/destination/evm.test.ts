import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readEvmAddress } from "./evm.ts";

/** The test cases of EIP-55. */
const mixed = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];
const allCapitals = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
];
const allLowerCase = [
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
];

const lowerCaseAddresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

describe("readEvmAddress", () => {
  test("every address in EIP-55 is accepted unchanged", () => {
    for (const address of [...mixed, ...allCapitals, ...allLowerCase]) {
      assert.deepEqual(readEvmAddress(address), { network: "any", normalized: address });
    }
  });

  test("a lower-case address is accepted and gets its checksum", () => {
    for (const address of [...mixed, ...allCapitals, ...allLowerCase]) {
      assert.equal(readEvmAddress(address.toLowerCase())?.normalized, address);
    }
  });

  test("all capitals are refused unless they match the checksum", () => {
    for (const address of [...mixed, ...allLowerCase]) {
      const capitals = `0x${address.slice(2).toUpperCase()}`;
      assert.equal(readEvmAddress(capitals), undefined, capitals);
    }
  });

  test("rejects a mixed-case address with one changed character", () => {
    for (const address of mixed) {
      for (let at = 0; at < address.length; at += 1) {
        for (const character of "0123456789abcdefABCDEFgXx +é") {
          if (character === address[at]) continue;
          const typo = address.slice(0, at) + character + address.slice(at + 1);
          assert.equal(readEvmAddress(typo), undefined, typo);
        }
      }
    }
  });

  test("one letter in the wrong case is refused, unless no capital is left", () => {
    fc.assert(
      fc.property(lowerCaseAddresses, fc.nat(39), (lowerCase, index) => {
        const address = readEvmAddress(lowerCase)?.normalized ?? "";
        const letter = address.charAt(2 + index);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const typo = address.slice(0, 2 + index) + other + address.slice(3 + index);
        fc.pre(other !== letter && typo !== lowerCase);
        assert.equal(readEvmAddress(typo), undefined, typo);
      }),
    );
  });

  test("an address with its checksum reads back unchanged", () => {
    fc.assert(
      fc.property(lowerCaseAddresses, (lowerCase) => {
        const address = readEvmAddress(lowerCase);
        assert.equal(address?.normalized.toLowerCase(), lowerCase);
        assert.deepEqual(readEvmAddress(address?.normalized ?? ""), address);
      }),
    );
  });

  test("rejects the zero address", () => {
    assert.equal(readEvmAddress(`0x${"0".repeat(40)}`), undefined);
    assert.notEqual(readEvmAddress(`0x${"0".repeat(39)}1`), undefined);
  });

  test("rejects anything but 0x and 40 hexadecimal digits", () => {
    const body = "de709f2102306220921060314715629080e2fb77";
    const wrong = ["", "0x", body, `0X${body}`, `0x${body}0`, `0x${body.slice(1)}`, `0x${body}\n`];
    const odd = [` 0x${body}`, `0x${body} `, `x${body}`, `0x0x${body.slice(2)}`, "vitalik.eth"];
    for (const text of [...wrong, ...odd]) assert.equal(readEvmAddress(text), undefined, text);
  });
});
