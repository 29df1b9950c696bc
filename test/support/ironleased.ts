import { run } from "#server/commands/run.ts";

export interface Said {
  readonly code: number;
  /** Standard output and standard error together, without the last line break. */
  readonly said: string;
  readonly lines: readonly string[];
}

/** Runs an `ironleased` command in this process. */
export async function ironleased(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Said> {
  let text = "";
  const screen = { write: (written: string) => (text += written) };
  const code = await run(argv, { env, stdout: screen, stderr: screen });
  const said = text.replace(/\n$/, "");
  return { code, said, lines: said.split("\n") };
}
