import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import fc from "fast-check";
import { bitcoin, litecoin, readBitcoinLikeAddress, type BitcoinLikeCoin } from "./bitcoin.ts";

const good: readonly (readonly [BitcoinLikeCoin, "main" | "test", readonly string[]])[] = [
  [
    bitcoin,
    "main",
    [
      "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
      "116CGDLddrZhMrTwhCVJXtXQpxygTT1kHd",
      "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
      // BIP 173 and BIP 350.
      "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
      "BC1SW50QGDZ25J",
      "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    ],
  ],
  [
    bitcoin,
    "test",
    [
      "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
      "2MxKEf2su6FGAUfCEAHreGFQvEYrfYNHvL7",
      "bcrt1q8zx9dlztqz9apm7y5gtx8a0tlz57fhncycvun5",
      "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
      "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
      "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
    ],
  ],
  [
    litecoin,
    "main",
    [
      "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9",
      "MLkMXXwmuFFA5L6DmTejSgcxwZfT99f7pg",
      "3CaFsgN2frBGk9dyJPDEvgjxHdwNAPKUQ8",
      "ltc1qajkrze8gc5qdx2ehldsmd596a2gprnn50a53mj3xxvy0zgtdq6gqumv03a",
    ],
  ],
  [
    litecoin,
    "test",
    [
      "mzBc4XEFSdzCDcTxAgf6EZXgsZWpztRhef",
      "QW2SvwjaJU8LD6GSmtm1PHnBG2xPuxwZFy",
      "2MxKEf2su6FGAUfCEAHreGFQvEYrfYNHvL7",
      "tltc1q54h36eykleulhfxr3paq9k80fkys77k9z5gdk0",
      "rltc1qj08ys4ct2hzzc2hcz6h2hgrvlmsjynawf4nr3r",
      "rltc1ph4tspl0kuwvknu4525t8gue330u5p3fy2t2lj7ne6zt7d49cucxs5yl37j",
    ],
  ],
];

/** The invalid addresses that BIP 350 and BIP 173 list, with the reasons they give. */
const badOfTheStandards = {
  tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut: "unknown prefix",
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd: "bech32 for version 1",
  tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf: "bech32 for version 2",
  BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL: "bech32 for version 16",
  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh: "bech32m for version 0",
  tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47: "bech32m for version 0",
  bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4: "no bech32 character",
  BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R: "version 17",
  bc1pw5dgrnzv: "a program of 1 byte",
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav:
    "a program of 41 bytes",
  BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P: "a version 0 program of 16 bytes",
  tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq: "mixed case",
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf: "more than 4 bits of padding",
  tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j: "padding that is not zero",
  bc1gmk9yu: "no data",
  tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty: "unknown prefix",
  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5: "wrong checksum",
  BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2: "version 17",
  bc1rw5uspcuh: "a program of 1 byte",
  tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7: "mixed case",
  bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du: "more than 4 bits of padding",
  tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv: "padding that is not zero",
  bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx:
    "bech32 for version 1",
  BC1SW50QA3JX3S: "bech32 for version 16",
};

const base58check = createBase58check(sha256);
const hashes = fc.uint8Array({ minLength: 20, maxLength: 20 });
const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

function changed(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1);
}

describe("readBitcoinLikeAddress", () => {
  for (const [coin, network, addresses] of good) {
    const name = coin === bitcoin ? "Bitcoin" : "Litecoin";
    test(`accepts ${name} ${network} addresses and normalizes bech32 to lower case`, () => {
      for (const address of addresses) {
        const segwit = [...coin.prefixes.keys()].some((prefix) =>
          address.toLowerCase().startsWith(`${prefix}1`),
        );
        const normalized = segwit ? address.toLowerCase() : address;
        assert.deepEqual(readBitcoinLikeAddress(address, coin), { network, normalized }, address);
      }
    });

    test(`rejects a ${name} ${network} address with one changed character`, () => {
      for (const address of addresses) {
        for (let at = 0; at < address.length; at += 1) {
          for (const character of printable) {
            if (character === address[at]) continue;
            const typo = changed(address, at, character);
            assert.equal(readBitcoinLikeAddress(typo, coin), undefined, typo);
          }
        }
      }
    });
  }

  test("rejects every invalid address listed in BIP 173 and BIP 350", () => {
    for (const [address, reason] of Object.entries(badOfTheStandards)) {
      assert.equal(readBitcoinLikeAddress(address, bitcoin), undefined, reason);
    }
  });

  test("rejects a segwit address of another coin", () => {
    const address = "ltc1qajkrze8gc5qdx2ehldsmd596a2gprnn50a53mj3xxvy0zgtdq6gqumv03a";
    assert.equal(readBitcoinLikeAddress(address, bitcoin), undefined);
    const other = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    assert.equal(readBitcoinLikeAddress(other, litecoin), undefined);
  });

  test("a base58 text of another version, such as a private key, is refused", () => {
    fc.assert(
      fc.property(
        hashes,
        fc.nat(255),
        fc.constantFrom(bitcoin, litecoin),
        (hash, version, coin) => {
          const address = base58check.encode(Uint8Array.of(version, ...hash));
          const network = coin.versions.get(version);
          const expected = network === undefined ? undefined : { network, normalized: address };
          assert.deepEqual(readBitcoinLikeAddress(address, coin), expected);
        },
      ),
    );
  });

  test("rejects base58 whose hash is not 20 bytes long", () => {
    for (const length of [0, 19, 21, 32]) {
      const address = base58check.encode(new Uint8Array(1 + length));
      assert.equal(readBitcoinLikeAddress(address, bitcoin), undefined);
    }
  });

  test("a program must fit its version: 20 or 32 bytes for 0, 2 to 40 for 1 to 16", () => {
    const programs = fc.uint8Array({ minLength: 0, maxLength: 42 });
    fc.assert(
      fc.property(programs, fc.nat(31), fc.boolean(), (program, version, modern) => {
        const encoding = modern ? bech32m : bech32;
        const address = encoding.encode("bc", [version, ...encoding.toWords(program)]);
        const bytes = program.length;
        const fits = modern
          ? version >= 1 && version <= 16 && bytes >= 2 && bytes <= 40
          : version === 0 && (bytes === 20 || bytes === 32);
        assert.equal(readBitcoinLikeAddress(address, bitcoin) !== undefined, fits, address);
      }),
      { numRuns: 2_000 },
    );
  });

  test("rejects an address with one character dropped or doubled", () => {
    for (const [coin, , addresses] of good) {
      for (const address of addresses) {
        for (let at = 0; at < address.length; at += 1) {
          const dropped = changed(address, at, "");
          const doubled = changed(address, at, address.charAt(at).repeat(2));
          assert.equal(readBitcoinLikeAddress(dropped, coin), undefined, dropped);
          assert.equal(readBitcoinLikeAddress(doubled, coin), undefined, doubled);
        }
      }
    }
  });

  test("never throws", () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.string(), (strange, plain) => {
        for (const text of [strange, plain, `bc1${strange}`, `1${strange}`, `bc1q${plain}`]) {
          assert.equal(readBitcoinLikeAddress(text, bitcoin), undefined);
        }
      }),
    );
  });
});
