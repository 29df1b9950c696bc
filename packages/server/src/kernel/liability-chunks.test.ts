import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTree, leafOf, nodesPerChunk } from "./liability-chunks.ts";
import { leafNode, pathTo, rootOf } from "./merkle-sum-tree.ts";

const balances = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    accountId: `acc_${index}`,
    cents: index,
    entries: 1,
  }));

test("the chunks of a tree have the root and the paths of all its leaves together", async () => {
  for (const count of [1, 2, 3, 63, 64, 65, 129, 64 * 64 + 1]) {
    const tree = (await buildTree("secret", balances(count), undefined)) ?? assert.fail();
    const leaves = tree.leaves.flatMap(({ nodes }) => nodes.map((leaf) => leafOf("secret", leaf)));
    assert.equal(leaves.length, count);
    assert.deepEqual(tree.root, rootOf(leaves), `${count} leaves`);
    assert.equal(tree.root.sumCents, (count * (count - 1)) / 2);
    const last = tree.leaves.at(-1) ?? assert.fail();
    const path = pathTo(
      last.nodes.map((leaf) => leafOf("secret", leaf)),
      last.nodes.length - 1,
    );
    let { position } = last;
    for (let level = 1; ; level += 1) {
      const chunk = tree.above.findLast((one) => one.level === level);
      if (chunk === undefined) break;
      path.push(...pathTo(chunk.nodes, position % nodesPerChunk));
      ({ position } = chunk);
    }
    assert.deepEqual(path, pathTo(leaves, count - 1));
  }
  assert.equal(await buildTree("secret", [], undefined), undefined);
});

test("another secret gives every account another leaf and the tree another order", async () => {
  const orderWith = async (secret: string) => {
    const tree = await buildTree(secret, balances(100), undefined);
    return tree?.leaves.flatMap(({ nodes }) => nodes.map(({ accountId }) => accountId)) ?? [];
  };
  const [monday, tuesday] = [await orderWith("monday"), await orderWith("tuesday")];
  assert.deepEqual(monday.toSorted(), tuesday.toSorted());
  assert.notDeepEqual(monday, tuesday);
  const [balance] = balances(1);
  if (balance === undefined) assert.fail();
  assert.notEqual(leafOf("monday", balance).hash, leafOf("tuesday", balance).hash);
});

test("a node's hash covers each child's hash and sum, and is no leaf's hash", () => {
  const [a, b] = [leafNode("aa", 10), leafNode("bb", 20)];
  const root = rootOf([a, b]) ?? assert.fail();
  for (const changed of [
    [b, a],
    [
      { ...a, sumCents: 20 },
      { ...b, sumCents: 10 },
    ],
    [{ ...a, sumCents: 11 }, b],
    [a, { ...b, hash: a.hash }],
    [leafNode("aa", 11), leafNode("bb", 19)],
  ]) {
    assert.notEqual(rootOf(changed)?.hash, root.hash);
  }
  assert.notEqual(leafNode(root.hash, root.sumCents).hash, root.hash);
});

test("a negative sum, and one that is too large to be exact, is refused", () => {
  const node = (sumCents: number) => ({ hash: "00", sumCents });
  for (const sums of [
    [-1, 5],
    [5, -1],
    [Number.MAX_SAFE_INTEGER, 1],
    [0.5, 1],
  ]) {
    assert.throws(() => rootOf(sums.map(node)), RangeError);
  }
});
