import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { accountCookies, clearCookies, readCookies, setCookies } from "./cookies.ts";

const value = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/);
const foreign = fc
  .tuple(fc.stringMatching(/^[a-z]{1,12}$/), value)
  .map(([name, text]) => `${name}=${text}`);

test("our cookies are found among any others, in any order", () => {
  fc.assert(
    fc.property(
      value,
      value,
      fc.array(foreign),
      fc.array(foreign),
      fc.boolean(),
      (session, csrf, left, right, isReversed) => {
        const own = [`__Host-svc-session=${session}`, `__Host-svc-csrf=${csrf}`];
        const header = [...left, ...(isReversed ? own.toReversed() : own), ...right].join("; ");
        assert.deepEqual(readCookies(header, accountCookies), {
          session,
          csrf,
          isDuplicated: false,
        });
      },
    ),
  );
});

test("a duplicate cookie is always detected, even with equal values", () => {
  const name = fc.constantFrom("__Host-svc-session", "__Host-svc-csrf");
  fc.assert(
    fc.property(name, value, value, fc.array(foreign), (twice, first, second, between) => {
      const header = [`${twice}=${first}`, ...between, `${twice}=${second}`].join("; ");
      assert.equal(readCookies(header, accountCookies).isDuplicated, true);
    }),
  );
});

test("similar cookie names are ignored", () => {
  const header =
    "__host-svc-session=a; x__Host-svc-session=b; __Host-svc-session2=c; __Host-svc-sessio=d";
  assert.deepEqual(readCookies(header, accountCookies), {
    session: undefined,
    csrf: undefined,
    isDuplicated: false,
  });
});

test("arbitrary headers never make the parser throw", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      (header) => void readCookies(header, accountCookies),
    ),
  );
});

test("cookies that were set are read back, and cleared cookies are empty", () => {
  fc.assert(
    fc.property(value, value, (sessionToken, csrfToken) => {
      const lines = setCookies(accountCookies, { sessionToken, csrfToken, maxAgeSeconds: 60 });
      const header = lines.map((line) => line.split(";", 1)[0]).join("; ");
      assert.deepEqual(readCookies(header, accountCookies), {
        session: sessionToken,
        csrf: csrfToken,
        isDuplicated: false,
      });
    }),
  );
  const header = clearCookies(accountCookies)
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  assert.deepEqual(readCookies(header, accountCookies), {
    session: "",
    csrf: "",
    isDuplicated: false,
  });
});
