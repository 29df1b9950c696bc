import assert from "node:assert/strict";
import { test } from "node:test";
import { readAccountKey } from "./account-key.ts";
import { coins } from "./coins.ts";
import { addressOfScript } from "./segwit-script.ts";

const { bitcoin, litecoin } = coins;

/** The account of BIP84's test vectors, in different spellings. */
const zpub =
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";
const xpub =
  "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
const ltub =
  "Ltub2Z1zyGvbcEwmj1jAQcLSwfxMsZut8QS84GKVoqcbdF9snnvjrDYGoZQpbUSrpowJSNoTHdzuBq2QmScUEBUjuVRypgNwN2g3yrd5HiGRfxy";
const mtub =
  "Mtub2srGGwbWkvVFaJvHEy859m3s3Y4L52RcyNqibEWV1FXkqtjy6shqRd4xcgQSpibDr1vG37bTeVNxejE2wstkhj7ah25MwwVYFagigHNTnSn";
const ypub =
  "ypub6XR9pJPUsVBFKweLeV85HtwdxjjmKEuUr6djm9mNdkh47X7ASsD6byaXFotRAKByFoWgSzCuoTjaYdrv2yoJroLAPtBuHFjVm5vNmhyNehE";
const zprv =
  "zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE";
const tpub =
  "tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M";
const vpub =
  "vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc";
const ttub =
  "ttub4d81p5cxvtYKpLR1rpAWdWgdTEdcpRUTEjhEAwi4jFysnyYYYU6w3pRyV6gPAKZbaHoVQdDSdDJrEngpFdPnoTQM8PBSDhD552ZSfeKDEKA";
/** The root of BIP84's test vectors. */
const rootZpub =
  "zpub6jftahH18ngZxLmXaKw3GSZzZsszmt9WqedkyZdezFtWRFBZqsQH5hyUmb4pCEeZGmVfQuP5bedXTB8is6fTv19U1GQRyQUKQGUTzyHACMF";

test("deposit addresses are those of BIP84's test vectors", () => {
  const { depositAddress } = readAccountKey(zpub, bitcoin, "main", "bc");
  assert.equal(depositAddress(0), "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
  assert.equal(depositAddress(1), "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
});

test("every spelling of an account key gives the same public key and addresses", () => {
  const main = [zpub, xpub].map((key) => readAccountKey(key, bitcoin, "main", "bc"));
  const mainLitecoin = [zpub, xpub, ltub].map((key) =>
    readAccountKey(key, litecoin, "main", "ltc"),
  );
  assert.deepEqual(
    new Set([...main, ...mainLitecoin].map((key) => key.publicKey)),
    new Set([xpub]),
  );
  const first = mainLitecoin.map(({ depositAddress }) => depositAddress(0));
  assert.deepEqual(new Set(first), new Set(["ltc1qcr8te4kr609gcawutmrza0j4xv80jy8z4nqduv"]));

  const tests = [tpub, vpub, ttub].map((key) => readAccountKey(key, litecoin, "test", "rltc"));
  assert.deepEqual(new Set(tests.map(({ publicKey }) => publicKey)), new Set([tpub]));
  assert.equal(new Set(tests.map(({ depositAddress }) => depositAddress(9))).size, 1);
});

test("the script of a derived address gives that address back", () => {
  const script = "0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2";
  const { depositAddress } = readAccountKey(zpub, bitcoin, "main", "bc");
  assert.equal(addressOfScript(script, "bc"), depositAddress(0));
});

test("an index beyond BIP32's range is refused", () => {
  const { depositAddress } = readAccountKey(tpub, bitcoin, "test", "bcrt");
  assert.match(depositAddress(2 ** 31 - 1), /^bcrt1q/);
  for (const index of [2 ** 31, -1, 0.5]) assert.throws(() => depositAddress(index));
});

for (const [title, key, message] of [
  ["a private key", zprv, /is a private key/],
  ["a key of another network", tpub, /belongs to the test network/],
  ["a key above account level", rootZpub, /not at account level/],
  ["a key for P2SH addresses", ypub, /not of a native segwit/],
  ["a key of another coin", ltub, /not of a native segwit/],
  ["a key with a typing error", zpub.replace("z", "y"), /not a valid extended public key/],
  ["an address", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", /not a valid extended public key/],
  ["an empty key", "", /not a valid extended public key/],
] as const) {
  test(`${title} is refused, and the error does not quote it`, () => {
    assert.throws(
      () => readAccountKey(key, bitcoin, "main", "bc"),
      (error: Error) => message.test(error.message) && (key === "" || !error.message.includes(key)),
    );
  });
}

test("Litecoin refuses keys for P2SH addresses and keys of the other network", () => {
  assert.throws(() => readAccountKey(mtub, litecoin, "main", "ltc"), /not of a native segwit/);
  assert.throws(
    () => readAccountKey(ltub, litecoin, "test", "rltc"),
    /belongs to the main network/,
  );
  assert.throws(() => readAccountKey(ttub, litecoin, "main", "ltc"), /belongs to the test network/);
});
