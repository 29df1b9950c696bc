import { ed25519 } from "@noble/curves/ed25519.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hex } from "@scure/base";
import { scalarOf, type MoneroAddress, type ViewKeys } from "./account-key.ts";
import type { MoneroTransaction, TransactionOutput } from "./transaction.ts";

/** An output that its receiver finds and can spend. */
export interface ReceivedOutput {
  readonly index: number;
  readonly amountUnits: bigint;
}

const { Point } = ed25519;
type CurvePoint = InstanceType<typeof Point>;

/** The second base point of commitments. */
const valueBase = Point.fromHex("8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94");
const paymentIdTail = 0x8d;
const text = (value: string) => Buffer.from(value, "latin1");

/** The outputs of a transaction that pay an address. The secret keys of the transaction prove them. */
export function outputsTo(
  address: MoneroAddress,
  transaction: MoneroTransaction,
  secretKeys: readonly Uint8Array[],
): readonly ReceivedOutput[] {
  const spend = Point.fromBytes(address.spendPublic);
  const view = Point.fromBytes(address.viewPublic);
  const base = address.kind === "subaddress" ? spend : Point.BASE;
  const [mainKey, ...otherKeys] = secretKeys;
  return transaction.outputs.flatMap((output, index) => {
    const pairs = [
      [mainKey, transaction.publicKey],
      [otherKeys[index], transaction.additionalKeys[index]],
    ] as const;
    for (const [secret, published] of pairs) {
      const scalar = secret === undefined ? 0n : scalarOf(secret);
      // The receiver knows only what is published.
      if (scalar === 0n || !isPoint(base.multiply(scalar), published)) continue;
      const derivation = view.multiply(scalar).clearCofactor().toBytes();
      const amountUnits = readOutput(output, index, derivation, spend);
      if (amountUnits === undefined) continue;
      if (address.kind === "integrated" && !hasPaymentId(address, transaction, derivation))
        continue;
      return [{ index, amountUnits }];
    }
    return [];
  });
}

/** The outputs that pay the primary address of the view key. */
export function ownOutputs(
  { spendPublic, viewKey }: ViewKeys,
  transaction: MoneroTransaction,
): readonly ReceivedOutput[] {
  const spend = Point.fromBytes(spendPublic);
  const scalar = scalarOf(hex.decode(viewKey));
  return transaction.outputs.flatMap((output, index) => {
    for (const published of [transaction.publicKey, transaction.additionalKeys[index]]) {
      const point = published === undefined ? undefined : pointOf(published);
      if (point === undefined) continue;
      const derivation = point.multiply(scalar).clearCofactor().toBytes();
      const amountUnits = readOutput(output, index, derivation, spend);
      if (amountUnits !== undefined) return [{ index, amountUnits }];
    }
    return [];
  });
}

/** The amount, if the output belongs to the key and its commitment is to this amount. */
function readOutput(
  output: TransactionOutput,
  index: number,
  derivation: Uint8Array,
  spend: CurvePoint,
): bigint | undefined {
  const place = Buffer.concat([derivation, Buffer.of(index)]);
  const tag = keccak_256(Buffer.concat([text("view_tag"), place]))[0];
  if (output.viewTag !== undefined && output.viewTag !== tag) return undefined;
  const shared = scalarOf(keccak_256(place));
  if (!isPoint(Point.BASE.multiply(shared).add(spend), output.key)) return undefined;
  const sharedBytes = bytesOf(shared);
  const pad = keccak_256(Buffer.concat([text("amount"), sharedBytes]));
  const amount = Buffer.from(output.encryptedAmount.map((byte, at) => byte ^ (pad[at] ?? 0)));
  const amountUnits = amount.readBigUInt64LE();
  const mask = scalarOf(keccak_256(Buffer.concat([text("commitment_mask"), sharedBytes])));
  const value = amountUnits === 0n ? Point.ZERO : valueBase.multiply(amountUnits);
  return isPoint(Point.BASE.multiply(mask).add(value), output.commitment) ? amountUnits : undefined;
}

function hasPaymentId(
  { paymentId }: MoneroAddress,
  { encryptedPaymentId }: MoneroTransaction,
  derivation: Uint8Array,
): boolean {
  const pad = keccak_256(Buffer.concat([derivation, Buffer.of(paymentIdTail)]));
  const sent = encryptedPaymentId?.map((byte, at) => byte ^ (pad[at] ?? 0));
  return sent !== undefined && paymentId !== undefined && Buffer.from(sent).equals(paymentId);
}

/** Undefined when the bytes are no point of the curve. */
function pointOf(bytes: Uint8Array): CurvePoint | undefined {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return undefined;
  }
}

function isPoint(point: CurvePoint, bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && Buffer.from(point.toBytes()).equals(bytes);
}

function bytesOf(scalar: bigint): Uint8Array {
  return hex.decode(scalar.toString(16).padStart(64, "0")).toReversed();
}
