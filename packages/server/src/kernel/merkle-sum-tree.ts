import { hash } from "node:crypto";
import { canonicalJson, type Json, type PathStep, type SumNode } from "@ironlease/statement";

export function leafNode(account: string, balanceCents: number): SumNode {
  return { hash: tagged(0, { account, balanceCents }), sumCents: balanceCents };
}

/** Undefined without nodes. */
export function rootOf(nodes: readonly SumNode[]): SumNode | undefined {
  let level = nodes;
  while (level.length > 1) level = parentsOf(level);
  return level[0];
}

/** The siblings on the way from a node to the root. */
export function pathTo(nodes: readonly SumNode[], index: number): PathStep[] {
  const path: PathStep[] = [];
  let [level, at] = [nodes, index];
  while (level.length > 1) {
    const isRight = at % 2 === 1;
    const sibling = level[isRight ? at - 1 : at + 1];
    if (sibling !== undefined) path.push({ ...sibling, side: isRight ? "LEFT" : "RIGHT" });
    [level, at] = [parentsOf(level), Math.floor(at / 2)];
  }
  return path;
}

/** The last node of an odd level moves up unchanged: duplicating it would count its sum twice. */
function parentsOf(level: readonly SumNode[]): readonly SumNode[] {
  const parents: SumNode[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = level.slice(index, index + 2);
    if (left !== undefined) parents.push(right === undefined ? left : parentOf(left, right));
  }
  return parents;
}

/** Each child's sum is hashed by itself, so that no sum can move from one child to the other. */
function parentOf(left: SumNode, right: SumNode): SumNode {
  const sumCents = left.sumCents + right.sumCents;
  const isExact = left.sumCents >= 0 && right.sumCents >= 0 && Number.isSafeInteger(sumCents);
  if (!isExact) throw new RangeError("a sum of balances is negative or too large");
  return { hash: tagged(1, { left: { ...left }, right: { ...right } }), sumCents };
}

/** Leaves and inner nodes have different tags, so that neither can be passed off as the other. */
function tagged(tag: 0 | 1, value: Json): string {
  return hash("sha256", Buffer.concat([Buffer.of(tag), Buffer.from(canonicalJson(value))]));
}
