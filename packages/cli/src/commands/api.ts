import type { SessionClient } from "@ironlease/client";
import { command } from "../command-line/command.ts";
import type { Context } from "../context.ts";
import { usageFailure } from "../failures/failure.ts";
import { cleanJson } from "../output/clean.ts";
import { readBody } from "../steps/request-body.ts";
import { findOperation, type FoundOperation } from "../steps/find-operation.ts";
import { requestWithdrawal } from "../steps/request-withdrawal.ts";
import { written } from "../steps/written.ts";

type Method = (...args: readonly unknown[]) => Promise<unknown>;

export const api = command({
  words: ["api"],
  summary: "Call an operation of the service by its method and path.",
  description: [
    "For whatever has no command of its own. It prints the answer's JSON, asks nothing, and is as careful " +
      "as every other command: writes have an idempotency key, and what was lost on the way is sent again " +
      "only when that cannot do it twice.",
    "The operations are in the service's reference, at /docs.",
  ],
  arguments: [
    { name: "method", meaning: "GET, POST, PUT, PATCH or DELETE." },
    { name: "path", meaning: "With its query: /api/v1/servers." },
  ],
  options: {
    data: {
      value: "JSON",
      meaning: "The body; @FILE reads it from a file, - from standard input.",
    },
  },
  keyed: true,
  examples: [
    { line: "ironlease api GET /api/health", meaning: "Whether the service is up." },
    {
      line: `ironlease api POST /api/v1/deposit-addresses --data '{"asset":"BTC"}'`,
      meaning: "What ironlease deposit create does.",
    },
  ],
  run: async ({ args, options, context }) => {
    const found = await findOperation(args.method.toUpperCase(), args.path);
    if (found.keepsSession) {
      throw usageFailure(
        "Signing in and out changes what is kept here, so it has commands of its own.",
        "ironlease login, logout, register or password",
      );
    }
    const body = options.data === undefined ? {} : await readBody(options.data, context);
    if (options.data !== undefined && !found.takesBody) {
      throw usageFailure(`${args.method.toUpperCase()} ${found.path} takes no body.`);
    }
    if (!found.isKeyed && context.shared["idempotency-key"] !== undefined) {
      throw usageFailure(`${args.method.toUpperCase()} ${found.path} takes no idempotency key.`);
    }
    const answer = await call(context, found, { ...body, ...found.fields });
    if (answer === undefined) return undefined;
    return { json: answer, text: () => cleanJson(answer, 2) };
  },
});

async function call(context: Context, found: FoundOperation, fields: object): Promise<unknown> {
  const { id, takes, isKeyed, access } = found;
  const client = await context[access]();
  if (id === "requestWithdrawal") {
    return requestWithdrawal(context, client as SessionClient, fields as never);
  }
  const method = (client as unknown as Readonly<Record<string, Method | undefined>>)[id];
  if (method === undefined) throw usageFailure("This program is too old for that operation.");
  const key = isKeyed ? await context.writing() : undefined;
  const how = key ?? context.calling;
  const answer = await (takes ? method(fields, how) : method(how));
  return key === undefined ? answer : written(answer as object, key);
}
