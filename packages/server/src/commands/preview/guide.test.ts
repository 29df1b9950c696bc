import assert from "node:assert/strict";
import { test } from "node:test";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { previewGuide } from "./guide.ts";

const service = {
  url: "https://localhost:8443",
  operatorUrl: "https://localhost:8444",
  tls: undefined,
};

test("a generated password is shown with the desk's address", () => {
  const password = { kind: "generated", value: "abcde-fghjk" } as const;
  const guide = previewGuide(service, { data: "./data" }, { username: "operator", password });
  assert.match(guide, /https:\/\/localhost:8444, sign in as operator\n +password: abcde-fghjk /);
});

test("a password set earlier is not shown, but the guide says how to reset it", () => {
  const password = { kind: "set earlier" } as const;
  const guide = previewGuide(service, { data: "./data" }, { username: "operator", password });
  assert.match(guide, /ironleased operator reset operator/);
  assert.doesNotMatch(guide, /password: /);
});

test("the guide does not mention operators if their listener is off", () => {
  const off = { ...service, operatorUrl: undefined };
  assert.doesNotMatch(previewGuide(off, { data: "./data" }, undefined), /operator/i);
});

test("the printed password works after restarts, until it is reset or configured", async () => {
  const IRONLEASE_DATA = temporaryFolder();
  const signIn = async ({ sendToDesk }: Daemon, password: string | undefined) => {
    const body = { username: "operator", password };
    return (await sendToDesk("POST", "/operator/v1/auth/login", { body })).status;
  };
  const printed = (text: string) => /password: (\S+)/.exec(text)?.[1];

  const first = await startIronleased("preview", { IRONLEASE_DATA });
  const generated = printed(first.output());
  assert.equal(await signIn(first, generated), 200);
  assert.equal(await first.stop(), 0);

  const second = await startIronleased("preview", { IRONLEASE_DATA });
  assert.equal(printed(second.output()), undefined);
  assert.equal(await signIn(second, generated), 200);
  const reset = await runIronleased(["operator", "reset", "operator"], { IRONLEASE_DATA });
  assert.equal(await signIn(second, generated), 401);
  assert.equal(await signIn(second, printed(reset.stdout)), 200);
  await second.stop();

  const configured = "a pass phrase of their own";
  const env = { IRONLEASE_DATA, IRONLEASE_OPERATOR_PASSWORD: configured };
  const third = await startIronleased("preview", env);
  assert.equal(await signIn(third, configured), 200);
  assert.ok(!third.output().includes(configured));
  await third.stop();

  const refused = await runIronleased(["preview"], {
    IRONLEASE_DATA,
    IRONLEASE_OPERATOR_PASSWORD: "too short",
    IRONLEASE_LISTEN: "127.0.0.1:0",
    IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
  });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^error: IRONLEASE_OPERATOR_PASSWORD must be 10 to 256/);
});
