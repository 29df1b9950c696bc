import { ApiError, type SessionClient } from "@ironlease/client";
import { meant, cleanJson, cleanLines } from "@ironlease/command-line";
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
  summary: "Call an operation of the service by its method and path.",
  description: [
    "For whatever has no command of its own. It prints the answer's JSON, asks nothing, and is as careful " +
      "as every other command: writes have an idempotency key, and what was lost on the way is sent again " +
      "only when that cannot do it twice.",
    "The operations are in the service's reference, at /docs. A path that this program does not know is " +
      "sent as it is; a change of that kind is sent once, unless it is given an idempotency key.",
  ],
  arguments: [
    { name: "method", choices: methods, meaning: "The HTTP method." },
    { name: "path", meaning: "A path of the service, with its query: /api/v1/servers." },
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
    // The answer to a change may have a secret that is shown once.
    if (method !== "GET") context.checkOutput();
    if (found.id === undefined) return shown(await send(context, found, method, body));
    if (found.keepsSession) {
      throw usageFailure(
        "Signing in and out changes what is kept here, so it has commands of its own.",
        "Use login, logout, register or password instead.",
      );
    }
    return shown(await call(context, found, { ...body, ...found.fields }));
  },
});

function shown(answer: unknown): Output | undefined {
  if (answer === undefined) return undefined;
  // Text, such as a page of the reference, is no JSON to anybody who did not ask for it.
  const text = typeof answer === "string" ? cleanLines(answer) : cleanJson(answer, 2);
  return { json: answer, text: () => text };
}

/** Sends what the contract of this program does not describe; the service says what it thinks of it. */
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
    throw new CommandFailure({ ...failure, advice: meant(near) });
  }
}

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
