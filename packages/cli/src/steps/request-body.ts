import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Context } from "#context.ts";
import { usageFailure } from "#failures/failure.ts";
import { unreadableFile } from "#failures/unreadable-file.ts";

/** A JSON object, from the argument itself, from `@FILE`, or from standard input with `-`. */
export async function readBody(data: string, context: Context): Promise<Record<string, unknown>> {
  const text = await readText(data, context);
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) {
      return body as Record<string, unknown>;
    }
  } catch {
    // The parser's message would not mention --data.
  }
  throw usageFailure(`--data must be a JSON object, such as '{"asset":"BTC"}'.`);
}

async function readText(data: string, { io, prompter }: Context): Promise<string> {
  if (data === "-") return (await prompter.readLines()).join("\n");
  if (!data.startsWith("@")) return data;
  const path = resolve(io.cwd, data.slice(1));
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadableFile(path, error);
  }
}
