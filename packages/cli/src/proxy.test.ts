import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createSessionClient } from "@ironlease/client";
import { createNodeFetch } from "@ironlease/client/node";
import { startTestService, type TestService } from "#test/service.ts";
import { ironlease } from "#test/terminal.ts";
import { proxyFor } from "./proxy.ts";

describe("HTTPS_PROXY", () => {
  let service: TestService;
  let proxyUrl: string;
  const asked: string[] = [];
  const proxy = createServer();
  before(async () => {
    service = await startTestService("sqlite");
    proxy.on("connect", ({ url = "", headers }, client) => {
      asked.push(`${url} ${headers["proxy-authorization"] ?? ""}`.trim());
      if (!url.startsWith("localhost:")) return client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      const { port } = new URL(service.url);
      const upstream = connect(Number(port), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      for (const socket of [client, upstream]) socket.on("error", () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    proxyUrl = `http://ada:pass%20word@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  after(async () => {
    proxy.close();
    await service.close();
  });

  test("requests go through the proxy, which needs no trust", async () => {
    const { port } = new URL(service.url);
    const fetch = createNodeFetch({ ca: service.ca, proxy: proxyUrl });
    const client = createSessionClient({ baseUrl: service.url, fetch });
    await client.register({ username: "proxied", password: "a long pass phrase" });
    assert.ok(Array.isArray((await client.listServers()).servers));
    fetch.close();
    const user = Buffer.from("ada:pass word").toString("base64");
    assert.ok(asked.length > 0);
    assert.ok(asked.every((line) => line === `localhost:${port} Basic ${user}`));
  });

  test("the certificate behind a proxy is verified", async () => {
    const fetch = createNodeFetch({ proxy: proxyUrl });
    const client = createSessionClient({ baseUrl: service.url, fetch });
    await assert.rejects(client.readCatalogue(), { name: "ConnectionError" });
    fetch.close();
  });

  test("the command line uses the proxy, and says that it refused", async () => {
    const env = { HTTPS_PROXY: proxyUrl };
    const argv = ["catalogue", "list", "--url", "https://rent.example.com"];
    const { code, stderr } = await ironlease(argv, { env });
    assert.equal(code, 11);
    assert.match(stderr, /cannot be reached: The proxy answered 403\./);
    const { host } = new URL(proxyUrl);
    assert.ok(stderr.includes(`HTTPS_PROXY sends requests through ${host}: check it too.`));
    assert.ok(!stderr.includes("pass%20word"), stderr);
    assert.match(asked.at(-1) ?? "", /^rent\.example\.com:443 /);
  });

  test("NO_PROXY names hosts, domains and ports, and this machine needs none", () => {
    const isProxied = (url: string, exceptions: string) =>
      proxyFor(url, { HTTPS_PROXY: "proxy:3128", NO_PROXY: exceptions }) === "http://proxy:3128";
    const url = "https://rent.example.com";
    for (const exceptions of ["", "other.com", "ample.com", "example.com:8443", "rent"]) {
      assert.ok(isProxied(url, exceptions), exceptions);
    }
    for (const exceptions of [
      "*",
      "a, example.com",
      ".example.com",
      "*.example.com",
      "RENT.example.com:443",
    ]) {
      assert.ok(!isProxied(url, exceptions), exceptions);
    }
    for (const local of ["https://localhost:8443", "https://127.0.0.1", "https://[::1]:1"]) {
      assert.ok(!isProxied(local, ""));
    }
    assert.equal(proxyFor(url, { https_proxy: "https://p" }), "https://p");
    assert.equal(proxyFor(url, { HTTPS_PROXY: "" }), undefined);
    assert.throws(() => proxyFor(url, { HTTPS_PROXY: "socks5://p" }), /must be the address/);
  });
});
