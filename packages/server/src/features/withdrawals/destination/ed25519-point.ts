/** The prime of the field, and the constant of the curve −x² + y² = 1 + d·x²·y² (RFC 8032). */
const p = 2n ** 255n - 19n;
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether 32 bytes are the one spelling of a point on edwards25519. node:crypto takes any 32 bytes
 * as such a key, and what is sent to a Monero key that is no point can never be spent.
 */
export function isEd25519Point(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const number = BigInt(`0x${bytes.toReversed().toHex()}`);
  const y = number & (2n ** 255n - 1n);
  if (y >= p) return false;

  const ySquared = (y * y) % p;
  const numerator = (ySquared + p - 1n) % p;
  const denominator = (d * ySquared + 1n) % p;
  // x is zero here, and zero has no negative: the sign bit must be clear.
  if (numerator === 0n) return y === number;
  // x² = numerator / denominator has a root exactly when their product has one.
  return isSquare((numerator * denominator) % p);
}

/** Euler's criterion, for a value that is not zero: value^((p−1)/2) is 1. */
function isSquare(value: bigint): boolean {
  let power = 1n;
  let base = value;
  for (let exponent = (p - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) power = (power * base) % p;
    base = (base * base) % p;
  }
  return power === 1n;
}
