import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ConfigError } from "#config.ts";
import { callDns } from "#kernel/reverse-dns/call-dns.ts";
import { connectDns } from "./dns-file.ts";

const folder = mkdtempSync(join(tmpdir(), "ironlease-dns-file-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "dns.json");

const right = {
  kind: "powerdns",
  apiUrl: "http://127.0.0.1:8081",
  apiKeyFile: "powerdns.key",
  serverId: "localhost",
  nameServers: ["127.0.0.1:5300", "192.0.2.53", "[::1]:53", "2001:db8::53"],
  createZones: true,
  zoneNameServers: ["ns1.example."],
};

function problemsOf(text: string): readonly string[] {
  writeFileSync(file, text);
  try {
    connectDns(file);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.map((problem) => problem.replace(`${file}:`, ""));
  }
  return [];
}

describe("the DNS file", () => {
  test("as the contract has it is accepted", () => {
    assert.deepEqual(problemsOf(JSON.stringify(right)), []);
    const { kind, apiUrl, apiKeyFile, nameServers } = right;
    assert.deepEqual(problemsOf(JSON.stringify({ kind, apiUrl, apiKeyFile, nameServers })), []);
    assert.equal(connectDns(file).createsZones, false);
  });

  test("names the line of what is wrong", () => {
    const lines = JSON.stringify(right, undefined, 2).split("\n");
    const broken = lines.map((line) => line.replace("192.0.2.53", "ns1.example")).join("\n");
    assert.deepEqual(problemsOf(broken), [
      "8: nameServers.1 must be an IP address, with a port or without: 192.0.2.53, 127.0.0.1:5300, [::1]:53",
    ]);
  });

  for (const [what, text, problem] of [
    ["no JSON", "{", /^1: /],
    ["an unknown field", JSON.stringify({ ...right, apiKey: "secret" }), /^1: apiKey /],
    ["another kind", JSON.stringify({ ...right, kind: "bind" }), /^1: kind /],
    [
      "no name server",
      JSON.stringify({ ...right, nameServers: [] }),
      /nameServers must list 1 to 10/,
    ],
    [
      "a port out of range",
      JSON.stringify({ ...right, nameServers: ["127.0.0.1:65536"] }),
      /nameServers\.0 /,
    ],
    ["no http address", JSON.stringify({ ...right, apiUrl: "ftp://127.0.0.1" }), /apiUrl must be/],
    [
      "a login in the address",
      JSON.stringify({ ...right, apiUrl: "http://a:b@127.0.0.1" }),
      /without a login/,
    ],
    [
      "new zones without name servers",
      JSON.stringify({ ...right, zoneNameServers: [] }),
      /zoneNameServers must list/,
    ],
  ] as const) {
    test(`with ${what} is refused`, () => {
      const problems = problemsOf(text);
      assert.equal(problems.length, 1, problems.join());
      assert.match(problems[0] ?? "", problem);
    });
  }

  test("may name a key file that does not exist yet: calls fail until it does", async () => {
    assert.deepEqual(problemsOf(JSON.stringify(right)), []);
    const dns = connectDns(file);
    await assert.rejects(
      callDns(dns, (signal) => dns.health(signal)),
      /^DnsUnavailable: The API key of PowerDNS cannot be read \(ENOENT\)\. Check apiKeyFile\.$/,
    );
  });
});
