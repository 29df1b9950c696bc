import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { mailbox, smtpUrl } from "./mail-setting-readers.ts";

test("a mail server is read from its URL, with the port of its scheme", () => {
  const server = { host: "mail.example", port: 587, implicitTls: false, isLoopback: false };
  const nobody = { user: undefined, password: undefined };
  assert.deepEqual(smtpUrl("smtp://mail.example"), { ...server, ...nobody });
  assert.deepEqual(smtpUrl("smtps://a%40b:p%3Aw@[::1]:2465/"), {
    ...{ host: "::1", port: 2465, implicitTls: true, isLoopback: true },
    ...{ user: "a@b", password: "p:w" },
  });
  for (const bad of [
    "mail.example",
    "http://mail.example",
    "smtp://",
    "smtp://m.example/x",
    "smtp://m?x=1",
  ]) {
    assert.throws(() => smtpUrl(bad), /^Error: must be an address such as smtp:/, bad);
  }
});

test("a sender is an address with or without a name", () => {
  assert.deepEqual(mailbox("no-reply@rent.example"), {
    name: "",
    address: "no-reply@rent.example",
  });
  const named = { name: "Rent, Example", address: "no-reply@rent.example" };
  assert.deepEqual(mailbox('"Rent, Example" <no-reply@rent.example>'), named);
  for (const bad of ["", "Rent", "a@b@c", "Rent <a b@c.example>", "Rent\n<a@c.example>"]) {
    assert.throws(() => mailbox(bad), /^Error: must be an address such as Rent/, bad);
  }
});

test("a mail server needs a sender, and a user one password", () => {
  const problemsOf = (env: Readonly<Record<string, string>>) => {
    try {
      readConfig("preview", env);
      return "";
    } catch (error) {
      return String(error);
    }
  };
  const from = { IRONLEASE_MAIL_FROM: "no-reply@rent.example" };
  assert.match(
    problemsOf({ IRONLEASE_SMTP: "smtp://m.example" }),
    /IRONLEASE_MAIL_FROM is required/,
  );
  assert.equal(problemsOf({ IRONLEASE_SMTP: "smtp://m.example", ...from }), "");
  assert.match(problemsOf({ IRONLEASE_SMTP: "smtp://user@m.example", ...from }), /one password/);
  const both = {
    IRONLEASE_SMTP: "smtp://user:hunter2@m.example",
    IRONLEASE_SMTP_PASSWORD_FILE: "f",
  };
  assert.match(problemsOf({ ...both, ...from }), /one password/);
  assert.doesNotMatch(problemsOf({ ...both, IRONLEASE_SMTP: "smtp:/u:hunter2@x y" }), /hunter2/);
});
