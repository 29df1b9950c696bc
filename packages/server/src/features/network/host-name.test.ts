import assert from "node:assert/strict";
import { isIP } from "node:net";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readHostName } from "./host-name.ts";

const label63 = "a".repeat(63);
const name253 = `${label63}.${label63}.${label63}.${"a".repeat(61)}`;

const good = {
  "mail.example.com": "mail.example.com",
  "MAIL.Example.COM": "mail.example.com",
  "mail.example.com.": "mail.example.com",
  "a.b": "a.b",
  "1-2.3.4a": "1-2.3.4a",
  "r3---sn-x.example.net": "r3---sn-x.example.net",
  "4.3.2.1.in-addr.arpa": "4.3.2.1.in-addr.arpa",
  "0x7f.com": "0x7f.com",
  "bücher.de": "xn--bcher-kva.de",
  "BÜCHER.de.": "xn--bcher-kva.de",
  "bu\u0308cher.de": "xn--bcher-kva.de",
  "xn--bcher-kva.de": "xn--bcher-kva.de",
  "XN--BCHER-KVA.DE": "xn--bcher-kva.de",
  "straße.de": "xn--strae-oqa.de",
  "пример.рф": "xn--e1afmkfd.xn--p1ai",
  "例え.テスト": "xn--r8jz45g.xn--zckzah",
  "paral·lel.cat": "xn--parallel-koa.cat",
  [name253]: name253,
  [`${name253}.`]: name253,
};

const bad = {
  "IP addresses in any spelling": `1.2.3.4 1.2.3.4. 127.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1
    1.2.3 1.2.3.4.5 256.256.256.256 a.1 a.0x1f a.0X a.b.99 ::1 :: 2001:db8::1 2606:4700::1111
    ::ffff:1.2.3.4 [::1] １.２.３.４ 1.2.3.４ a.１ ①.① 1.2.3.4:80`,
  "names of one label": "a localhost com com. bücher xn--bcher-kva",
  "empty labels": ". .. .a.b a..b a.b.. a.b...",
  "labels with hyphens at their ends": "-a.com a-.com a.-com a.com- -.com a.- a.-b.com",
  "labels that are too long": `${label63}a.com a.${label63}a ${"ü".repeat(60)}.de`,
  "names that are too long": `${name253}a a.${name253} ${"a.".repeat(126)}com
    ${"a".repeat(5_000)}.com`,
  "underscores and other symbols": String.raw`a_b.com _dmarc.example.com a!b.com *.example.com a/b.com
    a\b.com a@b.com a:b.com a,b.com a;b.com a"b.com a'b.com a&b.com a=b.com a+b.com a~b.com (a).com
    http://a.com a.com/ a.com:80 a?.com a#.com a$.com a|b.com {a}.com <a>.com`,
  "percent escapes": "ex%61mple.com example%2ecom %31.%32.%33.%34 a%00.com a%2f.com %6c.com a%.com",
  "labels that are not valid punycode": `xn--a.com xn--.com xn--abc-.com xn--127-.com
    xn--zzzzzzzzzz99999.com xn--e-xbb.com a.xn--a ｘn--a.com`,
  "characters that IDNA would map to others": `a。b a．b a｡b ℀.com a⁄b.com a／b.com ％61.com ⒈.com
    ㏂.com 💩.la a\u00adb.com a\u200bb.com a\u200db.com a\ufe0fb.com a\u034fb.com a\u3164b.com`,
  "names that IDNA forbids": "\u0301a.com aא.com 1א.com \ud800.com a\udc00.com",
};

const grammar =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function assertRefused(text: string): void {
  const read = readHostName(text);
  assert.ok(!read.ok, `accepted ${JSON.stringify(text)} as ${JSON.stringify(read)}`);
  assert.match(read.message, /^must /);
}

describe("readHostName", () => {
  test("host names are read in lower case, in ASCII and without the trailing dot", () => {
    for (const [text, value] of Object.entries(good)) {
      assert.deepEqual(readHostName(text), { ok: true, value }, text);
    }
  });

  for (const [what, names] of Object.entries(bad)) {
    test(`${what} are refused`, () => {
      for (const name of names.trim().split(/\s+/)) assertRefused(name);
    });
  }

  test("empty text, white space and control characters are refused anywhere", () => {
    assertRefused("");
    const codes = [...Array(33).keys(), 0x7f, 0x85, 0xa0, 0x2003, 0x2028, 0x3000, 0xfeff];
    for (const character of codes.map((code) => String.fromCharCode(code))) {
      for (const at of [0, 4, 5, 16]) {
        assertRefused(
          `${"mail.example.com".slice(0, at)}${character}${"mail.example.com".slice(at)}`,
        );
      }
    }
  });

  test("an address is refused as an address", () => {
    for (const address of ["192.0.2.7", "2001:db8::7", "::ffff:192.0.2.7", "0x7f.1", "1.2.3.999"]) {
      const read = readHostName(address);
      assert.deepEqual(read, { ok: false, message: "must be a host name, not an IP address" });
    }
  });

  test("an accepted name follows the grammar, is not an address and reads back unchanged", () => {
    const pieces =
      "a Z 0 9 - -- . .. xn-- XN-- ü ß 例 İ ı ς ٠ １ ﬀ Ⅷ 0x 127 com %41 _ / 。 ・ \u0308";
    const piece = fc.oneof(
      fc.constantFrom(...pieces.split(" ")),
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
      fc.domain(),
    );
    const texts = fc.array(piece, { maxLength: 8 }).map((chosen) => chosen.join(""));
    fc.assert(
      fc.property(texts, fc.constantFrom("", ".com", ".de."), (text, end) => {
        const read = readHostName(text + end);
        if (!read.ok) return;
        assert.match(read.value, grammar);
        assert.equal(isIP(read.value), 0);
        assert.equal(new URL(`https://${read.value}/`).hostname, read.value);
        assert.deepEqual(readHostName(read.value), read);
        assert.deepEqual(readHostName(`${read.value}.`), read);
        assert.deepEqual(readHostName(read.value.toUpperCase()), read);
      }),
      { numRuns: 5_000 },
    );
  });

  test("every name of letters, digits and inner hyphens that ends in a letter is accepted", () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
    const plain = label.filter((text) => !text.startsWith("xn--"));
    const last = fc.stringMatching(/^[a-z]{1,20}$/);
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 8 }), last, (labels, end) => {
        const name = [...labels, end].join(".");
        assert.deepEqual(readHostName(name), { ok: true, value: name });
      }),
    );
  });
});
