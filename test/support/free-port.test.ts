import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { findFreePort } from "./free-port.ts";

const noFreePort = { name: "Error", message: /^No free port/ };

test("the kernel does not give a found port to another program", async (t) => {
  const range = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
  const [lowest = 0] = range.trim().split(/\s+/).map(Number);
  if (lowest < 32_768) return t.skip(`This machine gives out all ports from ${lowest}`);
  const found = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));
  assert.equal(new Set(found).size, found.length);
  assert.ok(Math.max(...found) < lowest, `${Math.max(...found)} is not below ${lowest}`);
});

test("a port with a listener is not free", async (t) => {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => listener.close());
  const { port } = listener.address() as AddressInfo;
  await assert.rejects(findFreePort({ first: port, last: port }), noFreePort);
});

test("a found port belongs to its process until that ends", async () => {
  const program = `
    import { findFreePort } from ${JSON.stringify(new URL("free-port.ts", import.meta.url).href)};
    console.log(await findFreePort());
    process.stdin.resume();`;
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [output] = (await once(holder.stdout, "data")) as [Buffer];
  const port = Number(output.toString());
  const onlyThat = { first: port, last: port };
  await assert.rejects(findFreePort(onlyThat), noFreePort);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  assert.equal(await findFreePort(onlyThat), port);
  await assert.rejects(findFreePort(onlyThat), noFreePort);
});
