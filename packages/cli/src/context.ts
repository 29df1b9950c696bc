import type { CallOptions, KeyClient, SessionClient, WriteOptions } from "@ironlease/client";
import {
  ownEntry,
  cleanJson,
  cleanText,
  columnsOf,
  formatOf,
  rendered,
  styleFor,
  type Format,
  type Style,
  didYouMean,
  nearest,
} from "@ironlease/command-line";
import {
  confirm,
  type Question,
  Prompter,
  readSecrets,
  type Secret,
} from "@ironlease/command-line/prompts";
import type { Connection } from "./connection.ts";
import { exits } from "./failures/exit-codes.ts";
import { CommandFailure, usageFailure } from "./failures/failure.ts";
import { outputFailed, outputUnwritable } from "./failures/output-failed.ts";
import type { Io } from "./io.ts";
import { counted } from "./output/formats.ts";
import { fieldOf, type Output } from "./output/output.ts";
import { renderedIds } from "./output/ids.ts";
import { chooseTarget, type Target } from "./profiles/choose.ts";
import { ProfileFile } from "./profiles/profile-file.ts";
import type { SharedValues } from "./shared-options.ts";
import { aimed } from "./shell-line.ts";

/** The properties of a command that the context needs. */
interface Kind {
  readonly makesProfile?: true;
  readonly fields?: readonly string[];
}

type UndescribedClient = Pick<SessionClient, "request">;

/** What a command works with: the service, the terminal and the shared options. */
export class Context {
  readonly io: Io;
  readonly shared: SharedValues;
  readonly profiles: ProfileFile;
  readonly prompter: Prompter;
  /** Of standard output. */
  readonly style: Style;
  /** Of a program that the command ran. */
  exitCode: number = exits.ok.code;
  readonly #makesProfile: boolean;
  readonly #isChange: boolean;
  #format: Format;
  #target: Target | undefined;
  #connection: Connection | undefined;

  constructor(io: Io, shared: SharedValues, { makesProfile, fields }: Kind = {}) {
    this.io = io;
    this.shared = shared;
    this.#makesProfile = makesProfile === true;
    this.#isChange = fields !== undefined;
    this.#format = formatOf(shared);
    this.style = styleFor(io.stdout, io.env);
    this.prompter = new Prompter(io);
    this.profiles = new ProfileFile(io.env, (text) => this.warn(text));
  }

  get target(): Target {
    const { shared, io } = this;
    this.#target ??= chooseTarget(this.profiles.read(), shared, io, this.#makesProfile);
    return this.#target;
  }

  /** The target, if it has been chosen: choosing can fail. */
  get chosen(): Target | undefined {
    return this.#target;
  }

  get apiKey(): string | undefined {
    const key = this.io.env["IRONLEASE_API_KEY"];
    return key === "" ? undefined : key;
  }

  get format(): Format {
    return this.#format;
  }

  /** For a command with an option of its own for CSV. */
  useCsv(): void {
    if (this.#format === "csv") return;
    if (this.#format !== "table")
      throw usageFailure("--csv cannot be combined with another format.");
    this.#format = "csv";
  }

  /** Options of every call: Ctrl-C and the timeout end it. */
  get calling(): CallOptions {
    return { signal: this.io.signal, deadlineMs: Number(this.shared.timeout) * 1_000 };
  }

  /** A client for public operations. */
  async anyone(): Promise<SessionClient> {
    return (await this.#open()).client;
  }

  /** A client for any operation, with the API key or session at hand. */
  async visitor(): Promise<UndescribedClient> {
    if (this.apiKey !== undefined) return (await this.#open()).keyClient(this.apiKey);
    return this.anyone();
  }

  /** A client for reads: with the API key of the environment, or else the session. */
  async reader(): Promise<KeyClient> {
    if (this.apiKey !== undefined) return (await this.#open()).keyClient(this.apiKey);
    return this.member();
  }

  /** A client for everything else, which needs a session. */
  async member(): Promise<SessionClient> {
    if (this.apiKey !== undefined) {
      throw new CommandFailure({
        exit: "forbidden",
        code: "api_key_forbidden",
        message:
          "This command needs a session, but IRONLEASE_API_KEY is set, and API keys are read-only. Nothing was sent.",
        advice: ["Unset IRONLEASE_API_KEY and sign in:", "ironlease login"],
      });
    }
    if (this.target.profile.session === undefined) {
      throw new CommandFailure({
        exit: "signedOut",
        code: "authentication_required",
        message: `Not signed in to ${this.target.profile.url}.`,
        advice: ["ironlease login", "No account yet?", "ironlease register"],
      });
    }
    return this.anyone();
  }

  /**
   * Options of a write. The key is printed first, so that the user can retry with it whatever happens to
   * this process.
   */
  async writing(
    newKey?: () => string,
  ): Promise<WriteOptions & { readonly idempotencyKey: string }> {
    const { newIdempotencyKey } = await import("@ironlease/client");
    const idempotencyKey = this.shared["idempotency-key"] ?? (newKey ?? newIdempotencyKey)();
    this.note(`Idempotency key: ${idempotencyKey}`);
    return { ...this.calling, idempotencyKey, resend: this.shared.resend };
  }

  /** A suggested command, with this command's options for the service. */
  suggest(line: string): string {
    return aimed(line, this.shared);
  }

  confirm(question: Question): Promise<void> {
    return confirm(this.prompter, question, this.shared.yes === true);
  }

  secrets(...secrets: readonly Secret[]): Promise<readonly string[]> {
    return readSecrets(this.prompter, secrets, this.shared["password-stdin"] === true);
  }

  /** A remark for people. Programs expect nothing but JSON on standard error. */
  note(text: string): void {
    if (this.format !== "json" && !this.shared.quiet) this.warn(text);
  }

  warn(text: string): void {
    this.io.stderr.write(`${styleFor(this.io.stderr, this.io.env).dim(cleanText(text))}\n`);
  }

  /** Prints the result. */
  async print(output: Output, isLine = false): Promise<void> {
    for (const text of await this.#rendered(output, isLine)) this.io.stdout.write(`${text}\n`);
    try {
      await this.io.flush();
    } catch (error) {
      const { code = "unknown" } = error as NodeJS.ErrnoException;
      const { once, json: answer } = output;
      const { idempotencyKey } = (answer ?? {}) as { idempotencyKey?: string };
      const isWatched = this.io.stderr.isTTY === true;
      throw outputFailed({ code, isChange: this.#isChange, once, idempotencyKey, isWatched });
    }
  }

  /** One field, ids, or the whole result in the chosen format. */
  async #rendered(output: Output, isLine: boolean): Promise<readonly string[]> {
    const { get, quiet, columns } = this.shared;
    if (get !== undefined) {
      const value = fieldOf(output.json, get);
      if (value === undefined) throw noSuchField(get, output.json);
      return [typeof value === "string" ? cleanText(value) : cleanJson(value, 2)];
    }
    if (quiet) return renderedIds(output);
    const names = columns === undefined ? undefined : columnsOf(columns);
    if (isLine && this.format === "json") return [cleanJson(output.json)];
    return [await rendered(output, { format: this.format, style: this.style, names })];
  }

  /** Fails before requesting a secret that could not be shown. */
  checkOutput(): void {
    const trouble = this.io.outputTrouble();
    if (trouble !== undefined) throw outputUnwritable(trouble);
  }

  /** Saves changes to the session and closes connections. */
  async finish(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    connection.close();
    try {
      await this.#keepSession(connection);
    } catch {
      // The command itself has succeeded.
      this.warn(`The session could not be saved in ${this.profiles.path}.`);
    }
  }

  async #keepSession({ client }: Connection): Promise<void> {
    const { isSameSession } = await import("./connection.ts");
    const { name, profile, isSaved } = this.target;
    const session = client.session.export();
    if (!isSaved || isSameSession(session, profile.session)) return;
    // Another process may have signed in meanwhile. Its session must not be overwritten.
    const saved = ownEntry(this.profiles.read().profiles, name);
    if (saved === undefined || !isSameSession(saved.session, profile.session)) return;
    this.profiles.set(name, { ...saved, session });
  }

  async #open(): Promise<Connection> {
    if (this.#connection === undefined) {
      const { openConnection } = await import("./connection.ts");
      this.#connection = openConnection(this.target, this.io, this.shared.debug);
    }
    return this.#connection;
  }
}

/** Lists the names of the fields but not their values, one of which may be a secret. */
function noSuchField(path: string, json: unknown): CommandFailure {
  const names = path.split(".");
  const depth = names.findIndex(
    (_, end) => fieldOf(json, names.slice(0, end + 1).join(".")) === undefined,
  );
  const parent = depth === 0 ? json : fieldOf(json, names.slice(0, depth).join("."));
  const where = depth === 0 ? "The response" : names.slice(0, depth).join(".");
  const keys = typeof parent === "object" && parent !== null ? Object.keys(parent) : [];
  const has = Array.isArray(parent) ? counted(parent.length, "item") : keys.join(", ");
  return new CommandFailure({
    exit: "notFound",
    code: "no_such_field",
    message: `No field ${path}. ${where} has ${has === "" ? "no fields" : has}.`,
    advice: Array.isArray(parent) ? [] : didYouMean(nearest(names[depth] ?? "", keys)),
  });
}
