import assert from "node:assert/strict";
import { test } from "node:test";
import { fileOf, signedText } from "./transaction-file.ts";

const bytes = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff, 0x01, 0x00, 0x80);
const base64 = Buffer.from(bytes).toString("base64");

test("a PSBT is downloaded as bytes and read from bytes or base64", async () => {
  const { name, content } = fileOf({ id: "pay_1", format: "psbt", unsigned: base64 });
  assert.equal(name, "pay_1.psbt");
  assert.deepEqual(content, bytes);
  assert.equal(await signedText(new Blob([bytes]), "psbt"), base64);
  assert.equal(await signedText(new Blob([`${base64}\n`]), "psbt"), base64);
});

test("other transactions are text", async () => {
  const { name, content } = fileOf({ id: "pay_2", format: "evm", unsigned: "0x02aa" });
  assert.deepEqual([name, content], ["pay_2.txt", "0x02aa"]);
  assert.equal(await signedText(new Blob(["0x02bb\n"]), "evm"), "0x02bb");
});
