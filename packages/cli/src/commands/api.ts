import { ApiError, type SessionClient } from "@ironlease/client";
import { didYouMean, cleanJson, cleanLines } from "@ironlease/command-line";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { CommandFailure, usageFailure } from "#failures/failure.ts";
import type { Output } from "#output/output.ts";
import {
  findOperation,
  type FoundOperation,
  type UnknownOperation,
} from "#steps/find-operation.ts";
import { readBody } from "#steps/request-body.ts";
import { requestWithdrawal } from "#steps/request-withdrawal.ts";
import { written } from "#steps/written.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type HttpMethod = (typeof methods)[number];
type Method = (...args: readonly unknown[]) => Promise<unknown>;

export const api = command({
  words: ["api"],
  summary: "Send an API request.",
  description: [
    "For operations without a command of their own. Prints the JSON response and asks for no confirmation. " +
      "Writes carry an idempotency key, and lost requests are retried only where that is safe.",
    "The service documents its operations at /docs. Requests to an unknown path are sent as given, and " +
      "writes to it are not retried unless you add an idempotency key.",
  ],
  arguments: [
    { name: "method", choices: methods, meaning: "HTTP method." },
    { name: "path", meaning: "Path with query, such as /api/v1/servers, or servers for short." },
  ],
  options: {
    data: {
      value: "JSON",
      meaning: "JSON body, or @FILE to read a file, or - for standard input.",
    },
  },
  keyed: true,
  examples: [
    { line: "ironlease api GET /api/health", meaning: "Check that the service is up." },
    {
      line: `ironlease api POST /api/v1/deposit-addresses --data '{"asset":"BTC"}'`,
      meaning: "The same as ironlease deposit create BTC.",
    },
  ],
  run: async ({ args, options, context }) => {
    const { method } = args;
    const found = await findOperation(method, args.path, context.target.profile.url);
    const isKeyGiven = context.shared["idempotency-key"] !== undefined;
    const body = options.data === undefined ? undefined : await readBody(options.data, context);
    if (body !== undefined && (method === "GET" || (found.id !== undefined && !found.takesBody))) {
      throw usageFailure(`${method} ${found.path} takes no body.`);
    }
    if (isKeyGiven && (method === "GET" || (found.id !== undefined && !found.isKeyed))) {
      throw usageFailure(`${method} ${found.path} takes no idempotency key.`);
    }
    // The response to a write may carry a secret that is shown only once.
    if (method !== "GET") context.checkOutput();
    if (found.id === undefined) return shown(await send(context, found, method, body));
    if (found.keepsSession) {
      throw usageFailure(
        "This request would change the saved session.",
        "Use login, logout, register or password instead.",
      );
    }
    return shown(await call(context, found, { ...body, ...found.fields }));
  },
});

function shown(answer: unknown): Output | undefined {
  if (answer === undefined) return undefined;
  // Plain text, such as a documentation page, is printed as it is.
  const text = typeof answer === "string" ? cleanLines(answer) : cleanJson(answer, 2);
  return { json: answer, text: () => text };
}

/** Sends a request that this program's contract does not describe. */
async function send(
  context: Context,
  { path, near }: UnknownOperation,
  method: HttpMethod,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<unknown> {
  const client = await (method === "GET" ? context.visitor() : context.member());
  const { "idempotency-key": idempotencyKey, resend } = context.shared;
  const how = { ...context.calling, idempotencyKey, resend };
  try {
    return await client.request({ method, path, body }, how);
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 405].includes(error.status)) throw error;
    const { code, message, requestId } = error as ApiError<string>;
    const failure = { exit: "notFound", code, message, requestId } as const;
    throw new CommandFailure({ ...failure, advice: didYouMean(near) });
  }
}

async function call(context: Context, found: FoundOperation, fields: object): Promise<unknown> {
  const { id, takes, isKeyed, access } = found;
  const client = await context[access]();
  if (id === "requestWithdrawal") {
    return requestWithdrawal(context, client as SessionClient, fields as never);
  }
  const method = (client as unknown as Readonly<Record<string, Method | undefined>>)[id];
  if (method === undefined)
    throw usageFailure("This version of ironlease does not support that operation. Update it.");
  const key = isKeyed ? await context.writing() : undefined;
  const how = key ?? context.calling;
  const answer = await (takes ? method(fields, how) : method(how));
  return key === undefined ? answer : written(answer as object, key);
}
