import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ownEntry, didYouMean, nearest } from "@ironlease/command-line";
import { usageFailure, type CommandFailure } from "#failures/failure.ts";
import type { Io } from "#io.ts";
import type { SharedValues } from "#shared-options.ts";
import { profileName, readFingerprint, type Profile, type Profiles } from "./profile.ts";

/** Default address of the preview. */
const previewUrl = "https://localhost:8443";

/** The service to talk to, and which certificate to trust. */
export interface Target {
  /** Name of the profile, which may not exist until the user signs in. */
  readonly name: string;
  /** It has a session only if the session belongs to this address. */
  readonly profile: Profile;
  readonly isSaved: boolean;
}

type Wanted = Pick<SharedValues, "profile" | "url" | "ca" | "fingerprint">;

/** Options take precedence over the environment, and that over the profile. A session stays with its address. */
export function chooseTarget(
  saved: Profiles,
  wanted: Wanted,
  io: Io,
  makesProfile = false,
): Target {
  if (wanted.profile !== undefined && !profileName.test(wanted.profile)) {
    throw usageFailure("A profile name has up to 64 letters, digits, dots, colons and hyphens.");
  }
  const isKnown =
    wanted.profile !== undefined && ownEntry(saved.profiles, wanted.profile) !== undefined;
  const given = wanted.url ?? (isKnown ? undefined : io.env["IRONLEASE_URL"]);
  if (wanted.profile !== undefined && !isKnown && !(makesProfile && given !== undefined)) {
    const hint = makesProfile ? ["To create a profile with that name, add --url URL."] : [];
    throw noSuchProfile(wanted.profile, saved, ...hint);
  }
  const url = given === undefined ? undefined : readUrl(given);
  const name = wanted.profile ?? nameFor(saved, url);
  const found = ownEntry(saved.profiles, name);
  const isSame = found !== undefined && (url === undefined || isSameOrigin(found.url, url));
  const known = isSame ? found : undefined;
  const own = trustOf(wanted, io.cwd);
  const trust = own ?? { caFile: known?.caFile, fingerprint256: known?.fingerprint256 };
  const profile = { url: url ?? found?.url ?? previewUrl, ...trust, session: known?.session };
  return { name, profile, isSaved: known !== undefined };
}

export function noSuchProfile(
  name: string,
  { profiles }: Profiles,
  ...hints: readonly string[]
): CommandFailure {
  const near = didYouMean(nearest(name, Object.keys(profiles)));
  return usageFailure(`No profile named ${name}.`, ...near, ...hints, "ironlease profile list");
}

/** The profile with that address, or the current one. A new address gets a new name. */
function nameFor({ current, profiles }: Profiles, url: string | undefined): string {
  if (url === undefined) return current ?? "default";
  const names = Object.keys(profiles).toSorted(
    (one, other) => Number(other === current) - Number(one === current),
  );
  const same = names.find((name) => isSameOrigin(profiles[name]?.url ?? "", url));
  return same ?? (Object.hasOwn(profiles, "default") ? new URL(url).host : "default");
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).origin === new URL(other).origin;
}

function readUrl(given: string): string {
  const text = given.includes("://") ? given : `https://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isSafe(url)) {
    throw usageFailure(
      `${JSON.stringify(given)} is not a valid service address.`,
      `Use https without credentials or a query, such as ${previewUrl}.`,
    );
  }
  const { origin, pathname } = url;
  return `${origin}${pathname === "/" ? "" : pathname}`;
}

/** Passwords are sent over HTTPS only, or stay on this machine. */
function isSafe({ protocol, hostname, username, password, search, hash }: URL): boolean {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const isPrivate = protocol === "https:" || (protocol === "http:" && isLocal);
  return isPrivate && [username, password, search, hash].every((part) => part === "");
}

function trustOf({ ca, fingerprint }: Wanted, cwd: string) {
  if (ca === undefined && fingerprint === undefined) return undefined;
  const fingerprint256 = fingerprint === undefined ? undefined : readFingerprint(fingerprint);
  if (fingerprint !== undefined && fingerprint256 === undefined) {
    throw usageFailure(
      "--fingerprint must be a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons.",
    );
  }
  return { caFile: ca === undefined ? undefined : resolve(cwd, ca), fingerprint256 };
}

/** The CA certificate, in PEM. */
export function readCa(caFile: string | undefined): string | undefined {
  if (caFile === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(caFile, "utf8");
  } catch {
    throw usageFailure(
      `Cannot read the CA file ${caFile}.`,
      "Set another file with --ca FILE, or trust the certificate with --fingerprint SHA256.",
    );
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw usageFailure(`${caFile} is not a certificate in PEM format.`);
}
