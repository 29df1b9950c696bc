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

/** The file that holds addresses and sign-ins. As secret as a password: its owner's alone. */
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
      this.#mend();
      text = readFileSync(this.path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return { profiles: {} };
      throw usageFailure(`${this.path} cannot be read (${codeOf(error) ?? "unknown"}).`);
    }
    const found = parse(text);
    if (found === undefined) {
      throw usageFailure(
        `${this.path} is not a file of profiles.`,
        "Mend it, or remove it and sign in again.",
      );
    }
    return found;
  }

  /** Reads it anew and changes it, so that what another process has just saved is kept. */
  change(change: (profiles: Profiles) => Profiles): void {
    this.#write(change(this.read()));
  }

  /** Puts a profile in place, or takes it away. */
  set(name: string, profile: Profile | undefined): void {
    this.change(({ current, profiles }) => {
      const { [name]: _, ...others } = profiles;
      return {
        current,
        profiles: profile === undefined ? others : { ...others, [name]: profile },
      };
    });
  }

  /** Fails before a sign-in that could not be kept. */
  prepare(): void {
    this.#write(this.read());
  }

  /** The whole file under another name first: nobody ever reads half of it, nor does a crash leave it. */
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
      throw usageFailure(`${this.path} cannot be written (${codeOf(error) ?? "unknown"}).`);
    }
  }

  #mend(): void {
    if (process.platform === "win32") return;
    const { mode } = statSync(this.path);
    if ((mode & 0o077) === 0) return;
    chmodSync(this.path, 0o600);
    this.#warn(
      `${this.path} was open to other users of this machine. It is yours alone again; ` +
        "if they are not to be trusted, change your password.",
    );
  }
}

/** As the XDG base directory specification has it: a relative path there counts as none. */
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
