import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { usageFailure } from "#failures/failure.ts";
import type { Profile, Profiles } from "./profile.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The file with addresses and sessions. It is as secret as a password, so only its owner may read it. */
export class ProfileFile {
  readonly path: string;
  readonly #warn: (text: string) => void;

  constructor(env: Environment, warn: (text: string) => void) {
    this.path = join(configFolder(env), "ironlease", "profiles.json");
    this.#warn = warn;
  }

  read(): Profiles {
    let text: string;
    try {
      this.#restrict();
      text = readFileSync(this.path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return { profiles: {} };
      throw usageFailure(`Cannot read ${this.path} (${codeOf(error) ?? "unknown"}).`);
    }
    const found = parse(text);
    if (found === undefined) {
      throw usageFailure(
        `${this.path} is not a valid profile file.`,
        "Fix it, or delete it and sign in again.",
      );
    }
    return found;
  }

  /** Reads the file again before changing it, so that changes of another process are kept. */
  change(change: (profiles: Profiles) => Profiles): void {
    this.#write(change(this.read()));
  }

  /** Saves a profile, or deletes it if undefined. */
  set(name: string, profile: Profile | undefined): void {
    this.change(({ current, profiles }) => {
      const { [name]: _, ...others } = profiles;
      return {
        current,
        profiles: profile === undefined ? others : { ...others, [name]: profile },
      };
    });
  }

  /** Checks that a session can be saved, before the user signs in. */
  prepare(): void {
    this.#write(this.read());
  }

  /** Writes a temporary file and renames it, so that no reader or crash sees half of it. */
  #write(profiles: Profiles): void {
    const temporary = `${this.path}.${process.pid}.tmp`;
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      rmSync(temporary, { force: true });
      const file = openSync(temporary, "wx", 0o600);
      try {
        writeSync(file, `${JSON.stringify(profiles, undefined, 2)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, this.path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw usageFailure(`Cannot write ${this.path} (${codeOf(error) ?? "unknown"}).`);
    }
  }

  #restrict(): void {
    if (process.platform === "win32") return;
    const { mode } = statSync(this.path);
    if ((mode & 0o077) === 0) return;
    chmodSync(this.path, 0o600);
    this.#warn(
      `${this.path} was readable by other users of this machine and is now private. ` +
        "If you do not trust them, change your password.",
    );
  }
}

/** The XDG specification ignores a relative path. */
function configFolder(env: Environment): string {
  const given = env["XDG_CONFIG_HOME"];
  if (given !== undefined && isAbsolute(given)) return given;
  return join(env["HOME"] ?? homedir(), ".config");
}

function parse(text: string): Profiles | undefined {
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    const isGood =
      (current === undefined || typeof current === "string") &&
      typeof profiles === "object" &&
      Object.values(profiles).every(
        ({ url, caFile, fingerprint256, session }) =>
          URL.canParse(url) &&
          [caFile, fingerprint256].every((value) =>
            ["string", "undefined"].includes(typeof value),
          ) &&
          ["object", "undefined"].includes(typeof session),
      );
    return isGood ? { current, profiles } : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
