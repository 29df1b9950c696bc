import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { json, price, startRateServer, type RateServer } from "#test/rate-servers.ts";
import { SettlementUnavailable, type Rates } from "#ports/settlement.ts";
import { createHttpRates, type HttpRatesOptions } from "./http-rates.ts";

const { signal } = new AbortController();

describe("rates over HTTP", () => {
  let now: number;
  let servers: readonly [RateServer, RateServer, RateServer];
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 15, 9, 30);
    servers = [
      await startRateServer(price("100")),
      await startRateServer(price('"100.50"')),
      await startRateServer(price("101.0")),
    ];
  });
  afterEach(() => Promise.all(servers.map((server) => server.stop())));

  const clock = { now: () => now };
  const endpointsOf = (given: readonly RateServer[]) =>
    given.map(({ url }) => ({ asset: "LTC" as const, url, pointer: "/data/price" }));
  const create = (options: Partial<HttpRatesOptions> = {}): Rates =>
    createHttpRates({
      endpoints: endpointsOf(servers),
      quorum: 2,
      spreadPercent: 2,
      maxAgeMs: 600_000,
      clock,
      ...options,
    });
  const hosts = (...indexes: readonly number[]) => indexes.map((index) => servers[index]?.host);
  const requests = () => servers.map((server) => server.requests);
  const reasonOf = async (rates: Rates): Promise<string> => {
    const error: unknown = await rates.usdPerCoin("LTC", signal).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof SettlementUnavailable, String(error));
    assert.doesNotMatch(error.message, /secret|ticker/);
    return error.message;
  };

  test("the rate is the median of all sources, with the time of the requests and their hosts", async () => {
    assert.deepEqual(await create().usdPerCoin("LTC", signal), {
      rate: "100.50",
      at: now,
      sources: hosts(0, 1, 2),
    });
  });

  test("the rate of two sources is their mean", async () => {
    const rates = create({ endpoints: endpointsOf(servers.slice(0, 2)) });
    assert.equal((await rates.usdPerCoin("LTC", signal)).rate, "100.25");
  });

  for (const lie of ["1000", "10", "103.6"]) {
    test(`a source that says ${lie} is left out, and the others give the rate`, async () => {
      servers[2].answer = price(lie);
      const { rate, sources } = await create().usdPerCoin("LTC", signal);
      assert.deepEqual([rate, sources], ["100.25", hosts(0, 1)]);
    });
  }

  test("two sources that lie together cannot outvote two honest ones", async () => {
    const fourth = await startRateServer(price("10"));
    servers[2].answer = price("10");
    const rates = create({ endpoints: endpointsOf([...servers, fourth]) });
    assert.match(await reasonOf(rates), /needs 2 sources that agree, but has 0/);
    await fourth.stop();
  });

  test("a source at the edge of the spread counts, and one just beyond does not", async () => {
    servers[0].answer = price("98");
    servers[1].answer = price("100");
    servers[2].answer = price("102.000000000000000001");
    const { rate, sources } = await create().usdPerCoin("LTC", signal);
    assert.deepEqual([rate, sources], ["99.00", hosts(0, 1)]);
  });

  const unusable: Readonly<Record<string, [string, RegExp]>> = {
    "an exponent": ["1e5", /no plain decimal/],
    "an exponent in a string": ['"1e5"', /no plain decimal/],
    "NaN in a string": ['"NaN"', /no plain decimal/],
    "NaN, which is not JSON": ["NaN", /did not answer with JSON/],
    "a negative number": ["-100", /no plain decimal/],
    zero: ["0.00", /no plain decimal/],
    "a boolean": ["true", /no plain decimal/],
    "an array": ["[100]", /no plain decimal/],
    "a number with a comma": ['"1,000"', /no plain decimal/],
    "more digits than any price": [`1${"0".repeat(12)}`, /no plain decimal/],
    null: ["null", /no plain decimal/],
  };
  for (const [what, [value, reason]] of Object.entries(unusable)) {
    test(`${what} is not a price`, async () => {
      servers[2].answer = price(value);
      const { sources } = await create().usdPerCoin("LTC", signal);
      assert.deepEqual(sources, hosts(0, 1));
      assert.match(await reasonOf(create({ quorum: 3 })), reason);
    });
  }

  const failures: Readonly<Record<string, [RateServer["answer"], RegExp]>> = {
    "a document without the price": [json("{}"), /has no value at \/data\/price/],
    "an error status": [(_, response) => response.writeHead(500).end(), /HTTP status 500/],
    "a page instead of JSON": [json("<html>"), /did not answer with JSON/],
    "a document nested too deeply": [
      json("[".repeat(30_000) + "]".repeat(30_000)),
      /did not answer with JSON/,
    ],
    "a body of 2 MB": [json(`{"x":"${"y".repeat(2 ** 21)}"}`), /sent more than 65536 bytes/],
    "a body without an end": [endless, /sent more than 65536 bytes/],
    "a connection that breaks off": [(request) => request.socket.destroy(), /be reached \(UND_ERR/],
    "no answer": [() => undefined, /did not answer within 1000 ms/],
    "an Age that is not a number": [price("100", { age: "old" }), /Age header that is not/],
    "an answer that a cache kept too long": [price("100", { age: "601" }), /is 601 s old/],
    "an answer with an old Date": [
      price("100", { date: "Sun, 15 Nov 2026 09:19:00 GMT" }),
      /is 660 s old/,
    ],
  };
  for (const [what, [answer, reason]] of Object.entries(failures)) {
    test(`${what} leaves one source out, which the reason names without its URL`, async () => {
      servers[1].answer = answer;
      const options = what === "no answer" ? { answerMs: 1_000 } : {};
      const { sources } = await create(options).usdPerCoin("LTC", signal);
      assert.deepEqual(sources, hosts(0, 2));
      const text = await reasonOf(create({ ...options, quorum: 3 }));
      assert.match(text, reason);
      assert.ok(text.includes(`: ${servers[1].host} `), text);
    });
  }

  test("a redirect is not followed", async () => {
    const target = await startRateServer(price("100.50"));
    servers[1].answer = (_, response) => response.writeHead(302, { location: target.url }).end();
    assert.match(await reasonOf(create({ quorum: 3 })), /HTTP status 302/);
    assert.equal(target.requests, 0);
    await target.stop();
  });

  test("the rate is as old as the oldest answer that counts", async () => {
    servers[0].answer = price("100", { age: "120" });
    servers[2].answer = price("1000", { age: "500" });
    assert.equal((await create().usdPerCoin("LTC", signal)).at, now - 120_000);
  });

  test("with all sources down there is no rate, and once they are back there is one", async () => {
    const rates = create();
    await Promise.all(servers.map((server) => server.stop()));
    assert.match(await reasonOf(rates), /needs 2 .* has 0: .*ECONNREFUSED/);
    await Promise.all(servers.map((server) => server.start()));
    assert.match(await reasonOf(rates), /has 0/, "a failure is kept for 5 s");
    now += 5_000;
    assert.equal((await rates.usdPerCoin("LTC", signal)).rate, "100.50");
  });

  test("concurrent and repeated calls share one round of requests for 30 s", async () => {
    const rates = create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => rates.usdPerCoin("LTC", signal)),
    );
    assert.equal(new Set(answers).size, 1);
    now += 29_999;
    assert.equal(await rates.usdPerCoin("LTC", signal), answers[0]);
    assert.deepEqual(requests(), [1, 1, 1]);
    now += 1;
    await rates.usdPerCoin("LTC", signal);
    assert.deepEqual(requests(), [2, 2, 2]);
    now -= 3_600_000;
    await rates.usdPerCoin("LTC", signal);
    assert.deepEqual(requests(), [3, 3, 3], "after the clock was set back");
  });

  test("a rate is not kept longer than it is fresh", async () => {
    const rates = create({ maxAgeMs: 10_000 });
    await rates.usdPerCoin("LTC", signal);
    now += 10_000;
    await rates.usdPerCoin("LTC", signal);
    assert.deepEqual(requests(), [2, 2, 2]);
  });

  test("a caller that gives up does not abort the others", async () => {
    const rates = create();
    const aborter = new AbortController();
    const both = [rates.usdPerCoin("LTC", aborter.signal), rates.usdPerCoin("LTC", signal)];
    aborter.abort();
    assert.equal((await both[1])?.rate, "100.50");
    await both[0];
  });

  test("an asset without sources has no rate", async () => {
    await assert.rejects(create().usdPerCoin("XMR", signal), /no source .* for XMR/);
  });

  test("options that cannot work are refused, without showing the URL", () => {
    const refused = (endpoint: object, reason: RegExp) => {
      const endpoints = [...endpointsOf(servers), { ...endpointsOf(servers)[0]!, ...endpoint }];
      assert.throws(
        () => create({ endpoints }),
        (error: Error) => reason.test(error.message) && !error.message.includes("secret"),
      );
    };
    refused({ url: "http://prices.example/?key=secret" }, /endpoints\[3\]\.url must be an https/);
    refused({ url: "http://127.0.0.1.secret.example/" }, /must be an https/);
    refused({ url: "file:///secret" }, /must be an https/);
    refused({ url: "secret" }, /must be an https/);
    refused({ url: "https://me:secret@prices.example/" }, /must not contain a username/);
    refused({ url: "https://prices.example/", pointer: "price" }, /pointer must be a JSON Pointer/);
    refused({ url: `${servers[0].url}&again` }, /different hosts/);
    refused({ url: "https://prices.example/", asset: "XMR" }, /2 to 10 sources of XMR/);
    assert.throws(() => create({ quorum: 1 }), /quorum must be at least 2/);
    assert.throws(() => create({ quorum: 4 }), /4 to 10 sources of LTC, but list 3/);
  });
});

/** Writes until the client closes the connection. */
function endless(...[, response]: Parameters<RateServer["answer"]>): void {
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(16_384)));
  };
  response.writeHead(200).on("drain", more);
  more();
}
