import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ownEntry, meant, nearest } from "@ironlease/command-line";
import { usageFailure, type CommandFailure } from "#failures/failure.ts";
import type { Io } from "#io.ts";
import type { SharedValues } from "#shared-options.ts";
import { profileName, readFingerprint, type Profile, type Profiles } from "./profile.ts";

/** Where the preview is when nobody says otherwise. */
const previewUrl = "https://localhost:8443";

/** Which service is meant, and whom to believe to be it. */
export interface Target {
  /** The profile's name: the one there is, or the one that a sign-in would make. */
  readonly name: string;
  /** Its sign-in is there only when it is for this very address. */
  readonly profile: Profile;
  readonly isSaved: boolean;
}

type Wanted = Pick<SharedValues, "profile" | "url" | "ca" | "fingerprint">;

/** Options come first, then the environment, then the profile; a sign-in never goes elsewhere. */
export function chooseTarget(
  saved: Profiles,
  wanted: Wanted,
  io: Io,
  makesProfile = false,
): Target {
  if (wanted.profile !== undefined && !profileName.test(wanted.profile)) {
    throw usageFailure("A profile's name is up to 64 letters, digits, dots, colons and hyphens.");
  }
  const isKnown =
    wanted.profile !== undefined && ownEntry(saved.profiles, wanted.profile) !== undefined;
  const given = wanted.url ?? (isKnown ? undefined : io.env["IRONLEASE_URL"]);
  if (wanted.profile !== undefined && !isKnown && !(makesProfile && given !== undefined)) {
    const hint = makesProfile ? ["Add --url URL to make a profile of that name."] : [];
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
  const near = meant(nearest(name, Object.keys(profiles)));
  return usageFailure(`No such profile: ${name}.`, ...near, ...hints, "ironlease profile list");
}

/** The profile of that address, or the current one; a new address gets a name of its own. */
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
      `${JSON.stringify(given)} is not the address of a service.`,
      `It looks like ${previewUrl}: https, without credentials or a query.`,
    );
  }
  const { origin, pathname } = url;
  return `${origin}${pathname === "/" ? "" : pathname}`;
}

/** Passwords go over HTTPS only, or stay on this machine. */
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
      "--fingerprint takes a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons.",
    );
  }
  return { caFile: ca === undefined ? undefined : resolve(cwd, ca), fingerprint256 };
}

/** The authority's certificate, in PEM. */
export function readCa(caFile: string | undefined): string | undefined {
  if (caFile === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(caFile, "utf8");
  } catch {
    throw usageFailure(
      `The authority's file ${caFile} cannot be read.`,
      "Say where it is with --ca FILE, or trust the certificate itself with --fingerprint SHA256.",
    );
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw usageFailure(`${caFile} holds no certificate in PEM.`);
}
