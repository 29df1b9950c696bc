import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkPublicUrl } from "./public-url.ts";

/** IANA's special-purpose registries, independent of the library in use. */
const ipv4Blocks = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16
  192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
const ipv6Blocks = `::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48
  3ffe::/16 3fff::/20`;
const notPublic = { ipv4: blockList(ipv4Blocks, "ipv4"), ipv6: blockList(ipv6Blocks, "ipv6") };

function blockList(table: string, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const block of wordsOf(table)) {
    const [network = "", bits] = block.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

function wordsOf(table: string): string[] {
  return table.trim().split(/\s+/);
}

const normalUrls = `https://example.com/debian.iso https://a.b-c.co.uk/user@host.iso
  https://cdimage.debian.org:8443/x.iso?sig=a%20b&x=@ https://xn--bcher-kva.de/
  https://1.1.1.1/x.iso https://8.8.8.8:8443/ https://[2606:4700:4700::1111]/ https://local.example.com/
  https://127.0.0.1.example.com/`;
const otherUrls = {
  "HTTPS://Mirror.Example.COM/a.iso": "https://mirror.example.com/a.iso",
  "https://cdimage.debian.org:443": "https://cdimage.debian.org/",
  "https://cdimage.debian.org:/a/../b/./c": "https://cdimage.debian.org/b/c",
  "https://bücher.de/ü.iso": "https://xn--bcher-kva.de/%C3%BC.iso",
  "https://пример.рф/": "https://xn--e1afmkfd.xn--p1ai/",
  "https://[2001:4860:4860:0:0:0:0:8888]/x": "https://[2001:4860:4860::8888]/x",
};

/** Each is put between https:// and /x.iso. */
const badHosts = {
  "addresses that are not public": `127.0.0.1 0.0.0.0 10.0.0.1 100.64.0.1 100.127.255.255
    169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
    198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255`,
  "other spellings of IPv4 addresses": `127.1 127.0.1 0x7f.1 0x7f000001 0X7F.0.0.1 2130706433
    017700000001 0177.0.0.1 0177.1 127.0.0.01 127.0.0.1. 1.1.1.1. 16843009 1.1 010.8.8.8 08.8.8.8
    1.1.1.01 0x1.1.1.1 256.1.1.1 1.1.1.256 4294967296 0x100000000 1.2.3 1.2.3.4.5 0 0x 00 1e3 127.0.0.1:`,
  "full-width, circled and foreign digits and dots": `１２７.0.0.1 127．0．0．1 127。0。0。1 127｡0｡0｡1
    ①②⑦.0.0.1 ⑴.1.1.1 𝟏.𝟏.𝟏.𝟏 ٠.١ 1.1.1.１ example。com example．com ｅxample.com ⓔxample.com`,
  "percent-encoded hosts": `%31%32%37.0.0.1 127%2e0.0.1 127.0.0.1%2f %6c%6f%63alhost ex%61mple.com
    example%2ecom example.com%00 example.com%09 %65xample.com [::1%25eth0] [fe80::1%eth0]`,
  "IPv6 addresses that are not public": `[::] [::1] [0:0:0:0:0:0:0:1] [fe80::1] [febf::1] [fec0::1]
    [fc00::1] [fdff::1] [ff02::1] [100::1] [5f00::1] [2001:db8::1] [3fff::1] [3ffe::1] [2001::1]
    [2001:2::1] [2001:10::1] [2001:20::1] [2001:30::1] [4000::1] [e000::1] [1::1]`,
  "IPv4 addresses inside IPv6 ones": `[::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:8.8.8.8]
    [::ffff:808:808] [::127.0.0.1] [::8.8.8.8] [::ffff:0:8.8.8.8] [64:ff9b::8.8.8.8]
    [64:ff9b::7f00:1] [64:ff9b:1::a00:1] [2002:7f00:1::] [2002:808:808::1] [2001:0:4136:e378::1]
    [2606:4700::8.8.8.8] [2a00:1450::5efe:808:808] [2a00:1450::200:5efe:a00:1]`,
  "hosts that only look like addresses":
    "[] [1.1.1.1] [::1 ::1] 2606:4700::1111 [2606:4700::1111]x [::g] [:::]",
  "names of one label": "localhost intranet com example a xn--p1ai metadata",
  "names with too many dots": `localhost. example.com. example.com.. .example.com example..com . ..
    www.localhost. printer.local.`,
  "reserved names": `a.local a.internal a.localhost a.onion a.test a.example a.invalid a.home.arpa
    a.lan a.corp a.home a.intranet a.intra a.private a.localdomain 1.0.0.127.in-addr.arpa b.ip6.arpa a.i2p
    a.alt a.workgroup a.domain a.mail A.LOCAL A.Internal metadata.google.internal a.b.localhost`,
  "names that are not host names": `a_b.com -a.com a-.com a.-com a.com- a!b.com *.com a.c0m a.b a.1a
    a.x-y (a).com ${"a".repeat(64)}.com ${"a.".repeat(127)}com ~.com a&b.com a,b.com a;b.com a'.com`,
  "labels that are not valid punycode":
    "xn--a.com xn--.com xn--zzzzzzzzzz99999.com xn--127-.com a.xn--0 xn--e-xbb.com",
  "user names and passwords": `@example.com :@example.com user@example.com user:pass@example.com
    user%40x@example.com example.com@1.1.1.1 1.1.1.1@example.com @@example.com`,
  "ports that are not numbers up to 65535": `example.com:65536 example.com:x example.com:-1
    example.com:１ example.com:80:80 example.com:+80`,
};

/** Whole URLs, separated by spaces. */
const badUrls = {
  "other schemes": `http://example.com/ ftp://example.com/ file:///x httpss://example.com/ data:,x
    javascript:x //example.com/x example.com/x /x https https: https:// blob:https://example.com/x
    view-source:https://example.com/ ｈttps://example.com/ http://https://example.com/`,
  "too few or too many slashes": `https:example.com https:/example.com https:///example.com
    https:////example.com https://?example.com https://#example.com https:/./example.com`,
  backslashes: String.raw`https:\\example.com\x https://example.com\x https:/\example.com
    https://example.com/\ https://example.com\@1.1.1.1/ https://example.com/?a\b`,
  fragments: "https://example.com/x# https://example.com/x#y https://example.com#@1.1.1.1/",
  "unpaired surrogates": "https://example.com/\ud800 https://\udc00.example.com/",
};

function assertRefused(text: string): void {
  const checked = checkPublicUrl(text);
  assert.ok(!checked.ok, `accepted ${JSON.stringify(text)} as ${JSON.stringify(checked)}`);
  assert.match(checked.message, /^must /);
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
}

/** Addresses near the edges of the special blocks, and anywhere else. */
const ipv4 = fc.oneof(
  fc.nat(0xffffffff),
  fc.constantFrom(...wordsOf(ipv4Blocks)).chain((block) => {
    const [network = "", bits] = block.split("/");
    const first = network.split(".").reduce((value, octet) => value * 256 + Number(octet), 0);
    const size = 2 ** (32 - Number(bits));
    const near = fc.constantFrom(first - 1, first, first + size - 1, first + size);
    return near.filter((value) => value >= 0 && value <= 0xffffffff);
  }),
);

const parts = fc.oneof(fc.constantFrom(0, 0x5efe, 0x200, 0xffff), fc.nat(0xffff));
const prefixes = "2001 2002 2606 2001:db8 3ffe 3fff 64:ff9b fe80 2a00:1450";
const ipv6 = fc
  .tuple(fc.constantFrom(...wordsOf(prefixes)), fc.array(parts, { minLength: 7, maxLength: 7 }))
  .map(([prefix, rest]) => {
    const hex = rest.map((part) => part.toString(16));
    return [...prefix.split(":"), ...hex].slice(0, 8).join(":");
  });

const radixMarks = new Map([
  [8, "0"],
  [16, "0x"],
]);

/** How inet_aton reads numbers: one to four parts, each in its own radix. */
function spelled(value: number, radices: readonly number[]): string {
  const octets = dotted(value).split(".").map(Number);
  const head = octets.slice(0, radices.length - 1);
  const tail = octets.slice(head.length).reduce((sum, octet) => sum * 256 + octet, 0);
  const spellings = [...head, tail].map((part, index) => {
    const radix = radices[index] ?? 10;
    return (radixMarks.get(radix) ?? "") + part.toString(radix);
  });
  return spellings.join(".");
}

describe("checkPublicUrl", () => {
  test("public HTTPS URLs are accepted, normalized, and accepted again unchanged", () => {
    const unchanged = [...wordsOf(normalUrls), ...Object.values(otherUrls)];
    const pairs = unchanged.map((url) => [url, url] as const);
    for (const [text, value] of [...pairs, ...Object.entries(otherUrls)]) {
      assert.deepEqual(checkPublicUrl(text), { ok: true, value }, text);
    }
  });

  for (const [what, hosts] of Object.entries(badHosts)) {
    test(`${what} are refused`, () => {
      for (const host of wordsOf(hosts)) {
        for (const rest of ["/x.iso", "", "?x"]) assertRefused(`https://${host}${rest}`);
      }
    });
  }

  for (const [what, urls] of Object.entries(badUrls)) {
    test(`${what} are refused`, () => {
      for (const url of ["", ...wordsOf(urls)]) assertRefused(url);
    });
  }

  test("white space, control and invisible characters are refused anywhere", () => {
    const good = "https://cdimage.debian.org/x.iso?y=1";
    const codes = [...Array(33).keys(), 0x7f, 0x85, 0xa0, 0xad, 0x1680, 0x2003, 0x200b, 0x200d];
    for (const code of [...codes, 0x2028, 0x202e, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff]) {
      const character = String.fromCharCode(code);
      for (let at = 0; at <= good.length; at += 1) {
        assertRefused(good.slice(0, at) + character + good.slice(at));
      }
    }
  });

  test("a URL over 2,048 characters is refused, as typed or as normalized", () => {
    const start = "https://example.com/";
    assert.ok(checkPublicUrl(start + "a".repeat(2_048 - start.length)).ok);
    assertRefused(start + "a".repeat(2_049 - start.length));
    assertRefused(start + "ü".repeat(500));
    assertRefused(`https://example.com/${"../".repeat(1_000)}`);
  });

  test("an IPv4 address is accepted if and only if it is public", () => {
    fc.assert(
      fc.property(ipv4, (value) => {
        const address = dotted(value);
        const { ok } = checkPublicUrl(`https://${address}/`);
        assert.equal(ok, !notPublic.ipv4.check(address, "ipv4"), address);
      }),
      { numRuns: 2_000 },
    );
  });

  test("an IPv4 address is accepted only as four decimal numbers", () => {
    const radices = fc.array(fc.constantFrom(8, 10, 16), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(ipv4, radices, (value, chosen) => {
        const host = spelled(value, chosen);
        fc.pre(host !== dotted(value));
        for (const spelling of [host, host.toUpperCase(), `${host}.`]) {
          assertRefused(`https://${spelling}/`);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("an IPv6 address is accepted if and only if it is public and embeds no IPv4 address", () => {
    fc.assert(
      fc.property(ipv6, (address) => {
        const isatap = /^(?:[^:]+:){4}(?:0|[123]00):5efe:/.test(address);
        const expected = !notPublic.ipv6.check(address, "ipv6") && !isatap;
        assert.equal(checkPublicUrl(`https://[${address}]/`).ok, expected, address);
        assert.equal(checkPublicUrl(`https://[${address.toUpperCase()}]/`).ok, expected, address);
      }),
      { numRuns: 2_000 },
    );
  });

  test("no accepted URL has a host that any parser reads as a non-public address", () => {
    const pieces = `127 0x7f 0177 1 0 . .. 。 １ %31 [ ] : :: ffff a com local @ / xn-- - # ? é`;
    const piece = fc.oneof(
      fc.constantFrom(...wordsOf(pieces)),
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    );
    const hosts = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((chosen) => chosen.join("")),
      ipv4.map(dotted),
      ipv6.map((address) => `[${address}]`),
    );
    fc.assert(
      fc.property(hosts, fc.constantFrom("", ".com", ":443", "/x"), (host, rest) => {
        const checked = checkPublicUrl(`https://${host}${rest}`);
        if (!checked.ok) return;
        const { hostname, username, password, hash } = new URL(checked.value);
        assert.deepEqual([username, password, hash], ["", "", ""]);
        assert.deepEqual(checkPublicUrl(checked.value), checked);
        const bare = hostname.replaceAll(/^\[|\]$/g, "");
        if (isIP(bare) === 4) assert.ok(!notPublic.ipv4.check(bare, "ipv4"), hostname);
        else if (isIP(bare) === 6) assert.ok(!notPublic.ipv6.check(bare, "ipv6"), hostname);
        else assert.match(hostname, /^(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/);
      }),
      { numRuns: 5_000 },
    );
  });
});
