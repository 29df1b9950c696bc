import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { skipWithout } from "./components.ts";
import { RpcError, startLitecoind, type Litecoind } from "./litecoind.ts";

describe("a litecoind", { skip: await skipWithout("litecoind") }, () => {
  test("answers with its cookie file on an empty regtest chain, and to no other login", async () => {
    await using node = await startDisposable();
    const { chain, blocks } = await node.rpc<{ chain: string; blocks: number }>(
      "getblockchaininfo",
    );
    assert.deepEqual({ chain, blocks }, { chain: "regtest", blocks: 0 });
    assert.equal(await statusFor(node.url, await readFile(node.cookieFile, "utf8")), 200);
    assert.equal(await statusFor(node.url, "__cookie__:wrong"), 401);
  });

  test("takes a user and a password in place of the cookie file", async () => {
    const credentials = { user: "watcher", password: "secret" };
    await using node = await startDisposable({ credentials });
    assert.equal(await node.rpc("getblockcount"), 0);
    assert.ok(!existsSync(node.cookieFile));
    assert.equal(await statusFor(node.url, "watcher:secret"), 200);
    assert.equal(await statusFor(node.url, "watcher:wrong"), 401);
  });

  test("a refused call throws the node's code", async () => {
    await using node = await startDisposable();
    await assert.rejects(
      node.rpc("getblockhash", [1]),
      (error) => error instanceof RpcError && error.code === -8,
    );
  });

  test("a wrong argument fails the start with the node's message", async () => {
    await assert.rejects(
      startLitecoind({ arguments: ["-prune=1"] }),
      /litecoind did not start:\nError: Prune/,
    );
  });

  test("restart keeps the blocks, the wallet, the mempool and the address", async () => {
    await using node = await startDisposable();
    await node.rpc("createwallet", ["w", false, false, "", false, false, true]);
    const address = await node.walletRpc<string>("w", "getnewaddress");
    await node.rpc("generatetoaddress", [101, address]);
    const payment = await node.walletRpc<string>("w", "sendtoaddress", [address, "1.5"]);
    const login = await readFile(node.cookieFile, "utf8");

    await node.restart();
    assert.equal(await node.rpc("getblockcount"), 101);
    assert.deepEqual(await node.rpc("getrawmempool"), [payment]);
    assert.equal(
      (await node.walletRpc<{ txid: string }>("w", "gettransaction", [payment])).txid,
      payment,
    );
    assert.notEqual(await readFile(node.cookieFile, "utf8"), login);
  });

  test("kill ends it at once, and restart brings it back with the blocks that it wrote", async () => {
    await using node = await startDisposable();
    await node.rpc("createwallet", ["w"]);
    const address = await node.walletRpc<string>("w", "getnewaddress");
    await node.rpc("generatetoaddress", [3, address]);
    await node.kill({ keepBlocks: true });
    await assert.rejects(node.rpc("getblockcount"));
    await node.restart();
    assert.equal(await node.rpc("getblockcount"), 3);

    await node.rpc("generatetoaddress", [1, address]);
    await node.kill();
    await node.restart();
    assert.equal(await node.rpc("getblockcount"), 3);
  });

  test("stop leaves no process and no folder, after a kill too, and may be called twice", async () => {
    for (const isKilled of [false, true]) {
      const node = await startLitecoind();
      const pid = processOf(node);
      if (isKilled) await node.kill();
      await node.stop();
      await node.stop();
      assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
      assert.ok(!existsSync(dirname(node.dataFolder)));
    }
  });

  test("a test process that is killed leaves no node and no folder", async () => {
    const module = JSON.stringify(new URL("./litecoind.ts", import.meta.url).href);
    const program = `
      const { startLitecoind } = await import(${module});
      const { url, dataFolder } = await startLitecoind();
      console.log(JSON.stringify({ url, dataFolder }));
      setInterval(() => {}, 1000);
    `;
    const holder = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(holder.stdout.setEncoding("utf8"), "data");
    const node = JSON.parse(String(line)) as Pick<Litecoind, "url" | "dataFolder">;
    const folder = dirname(node.dataFolder);
    assert.ok(existsSync(folder));

    holder.kill("SIGKILL");
    // The node is not a child of this process, so there is no event to wait for.
    for (let check = 0; check < 2_400 && existsSync(folder); check += 1) await delay(50);
    assert.ok(!existsSync(folder));
    await assert.rejects(statusFor(node.url, "any:login"));
  });

  test("a test process that forgets to stop its node ends all the same", async () => {
    const module = JSON.stringify(new URL("./litecoind.ts", import.meta.url).href);
    const program = `
      const { startLitecoind } = await import(${module});
      const node = await startLitecoind();
      await node.rpc("getblockcount");
    `;
    const holder = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    assert.deepEqual(await once(holder, "exit"), [0, null]);
  });
});

async function startDisposable(
  ...options: Parameters<typeof startLitecoind>
): Promise<Litecoind & AsyncDisposable> {
  const node = await startLitecoind(...options);
  return { ...node, [Symbol.asyncDispose]: () => node.stop() };
}

async function statusFor(url: string, login: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(login).toString("base64")}`;
  const body = JSON.stringify({ method: "getblockcount", params: [] });
  const response = await fetch(url, { method: "POST", headers: { authorization }, body });
  await response.arrayBuffer();
  return response.status;
}

function processOf({ dataFolder }: Litecoind): number {
  return Number(readFileSync(join(dataFolder, "regtest", "bitcoind.pid"), "utf8"));
}
