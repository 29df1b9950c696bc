import assert from "node:assert/strict";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { CommandFailure } from "#failures/failure.ts";
import type { Io } from "#io.ts";
import { chooseTarget } from "./choose.ts";
import { ProfileFile } from "./profile-file.ts";
import { readFingerprint, type Profiles } from "./profile.ts";

const folder = mkdtempSync(join(tmpdir(), "ironlease-profiles-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let places = 0;

function freshFile() {
  const env = { XDG_CONFIG_HOME: join(folder, String((places += 1))) };
  const warnings: string[] = [];
  return { env, warnings, file: new ProfileFile(env, (text) => warnings.push(text)) };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("the profile file", () => {
  test("the file and its folder are readable by their owner only, and no temporary file remains", () => {
    const { file } = freshFile();
    file.set("default", { url: "https://a.example" });
    file.set("work", { url: "https://b.example" });
    assert.equal(modeOf(file.path), 0o600);
    assert.equal(modeOf(dirname(file.path)), 0o700);
    assert.deepEqual(readdirSync(dirname(file.path)), ["profiles.json"]);
    assert.deepEqual(Object.keys(file.read().profiles), ["default", "work"]);
    file.set("default", undefined);
    assert.deepEqual(Object.keys(file.read().profiles), ["work"]);
  });

  test("a file that others can read is restricted to its owner, with one warning", () => {
    const { file, warnings } = freshFile();
    file.set("default", { url: "https://a.example" });
    chmodSync(file.path, 0o644);
    assert.equal(file.read().profiles["default"]?.url, "https://a.example");
    assert.equal(modeOf(file.path), 0o600);
    assert.match(warnings.join(), /was readable by other users/);
    file.read();
    assert.equal(warnings.length, 1);
  });

  test("an invalid file is refused and not overwritten", () => {
    for (const text of ["", "{", "[]", '{"profiles":{"a":{"url":1}}}', '{"profiles":null}']) {
      const { file } = freshFile();
      file.prepare();
      writeFileSync(file.path, text);
      assert.throws(() => file.read(), CommandFailure);
      assert.throws(() => file.set("a", undefined), CommandFailure);
      assert.equal(readFileSync(file.path, "utf8"), text);
    }
  });

  test("prepare throws if the folder cannot be created", () => {
    const { env, file } = freshFile();
    writeFileSync(env.XDG_CONFIG_HOME, "a file where a folder should be");
    assert.throws(() => file.prepare(), /Cannot (?:read|write)/);
  });

  test("the path is under .config if XDG_CONFIG_HOME is unset or relative", () => {
    const at = (env: Record<string, string>) => new ProfileFile(env, () => undefined).path;
    const usual = "/home/ada/.config/ironlease/profiles.json";
    assert.equal(at({ HOME: "/home/ada" }), usual);
    assert.equal(at({ HOME: "/home/ada", XDG_CONFIG_HOME: "conf" }), usual);
    assert.equal(at({ XDG_CONFIG_HOME: "/conf" }), "/conf/ironlease/profiles.json");
  });
});

function caught(run: () => unknown): CommandFailure {
  try {
    run();
  } catch (error) {
    if (error instanceof CommandFailure) return error;
  }
  return assert.fail("no CommandFailure was thrown");
}

describe("choosing a profile", () => {
  const session = {
    origin: "https://a.example",
    username: "ada",
    csrfToken: "t",
    sessionCookie: "s",
    csrfCookie: "c",
  };
  const saved: Profiles = {
    current: "home",
    profiles: {
      home: { url: "https://a.example", caFile: "/ca.pem", session },
      work: { url: "https://b.example", fingerprint256: "AA" },
    },
  };
  const choose = (
    wanted: Partial<Parameters<typeof chooseTarget>[1]> = {},
    env: Record<string, string> = {},
    from = saved,
  ) => {
    const none = { profile: undefined, url: undefined, ca: undefined, fingerprint: undefined };
    return chooseTarget(from, { ...none, ...wanted }, { env, cwd: "/here" } as unknown as Io);
  };

  test("the current profile is used unless --profile, --url or IRONLEASE_URL selects another", () => {
    assert.equal(choose().name, "home");
    assert.equal(choose({ profile: "work" }).profile.url, "https://b.example");
    assert.equal(choose({ url: "https://b.example" }).name, "work");
    assert.equal(choose({}, { IRONLEASE_URL: "https://b.example/" }).name, "work");
    assert.equal(choose({ url: "b.example" }).name, "work");
    assert.equal(choose({}, {}, { profiles: {} }).profile.url, "https://localhost:8443");
  });

  test("options take precedence over the environment", () => {
    const env = { IRONLEASE_URL: "https://b.example" };
    assert.equal(choose({ profile: "home" }, env).profile.url, "https://a.example");
    assert.equal(choose({ url: "https://a.example" }, env).name, "home");
  });

  test("a session and its certificate trust are used for their own URL only", () => {
    for (const url of ["https://a.example:8443", "https://a.example.evil", "http://localhost"]) {
      for (const wanted of [{ url }, { url, profile: "home" }]) {
        const { profile, isSaved } = choose(wanted);
        assert.equal(profile.url, url);
        assert.deepEqual([profile.session, profile.caFile], [undefined, undefined]);
        assert.equal(isSaved, false);
      }
    }
    assert.equal(choose({ url: "https://a.example/" }).profile.session, session);
  });

  test("a new URL becomes the profile default, or is named after its host if that is taken", () => {
    assert.equal(choose({ url: "https://c.example:99" }).name, "default");
    const profiles = { ...saved.profiles, default: { url: "https://d.example" } };
    assert.equal(choose({ url: "https://c.example:99" }, {}, { profiles }).name, "c.example:99");
  });

  test("--ca and --fingerprint replace the saved trust", () => {
    const { profile } = choose({ ca: "data/ca.pem" });
    assert.deepEqual([profile.caFile, profile.fingerprint256], ["/here/data/ca.pem", undefined]);
    const hex = "ab".repeat(32);
    assert.equal(choose({ fingerprint: hex }).profile.caFile, undefined);
    assert.throws(() => choose({ fingerprint: "ab" }), /64 hexadecimal digits/);
    assert.throws(() => choose({ profile: "../x" }), CommandFailure);
  });

  test("an unknown profile is refused and never falls back to the preview's URL", () => {
    for (const profile of ["wrok", "constructor"]) {
      assert.throws(() => choose({ profile }), /No profile named/);
      assert.throws(() => choose({ profile, url: "https://c.example" }), /No profile named/);
      assert.throws(() => choose({ profile }, { IRONLEASE_URL: "https://c.example" }));
    }
    const { failure } = caught(() => choose({ profile: "wrok" }));
    assert.deepEqual([failure.exit, failure.advice?.[0]], ["usage", "Did you mean work?"]);
  });

  test("a sign-in creates the named profile if a URL is given", () => {
    const url = "https://c.example";
    const wanted = { profile: "new", url: undefined, ca: undefined, fingerprint: undefined };
    const at = (env: Record<string, string>) => ({ env, cwd: "/" }) as unknown as Io;
    const { name, profile } = chooseTarget(saved, { ...wanted, url }, at({}), true);
    assert.deepEqual([name, profile.url], ["new", url]);
    assert.equal(chooseTarget(saved, wanted, at({ IRONLEASE_URL: url }), true).profile.url, url);
    const { failure } = caught(() => chooseTarget(saved, wanted, at({}), true));
    assert.match(failure.advice?.join() ?? "", /add --url URL/);
  });

  test("fingerprints are normalised", () => {
    const plain = "0123456789abcdef".repeat(4);
    const printed = readFingerprint(plain) ?? "";
    assert.match(printed, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    assert.equal(readFingerprint(` ${printed}\n`), printed);
    assert.equal(readFingerprint(`${plain}00`), undefined);
  });
});
