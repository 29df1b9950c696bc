import type { Fetch, WireRequest } from "@ironlease/client";
import { cleanLines, cleanText, type Screen } from "@ironlease/command-line";

const secretHeaders = ["authorization", "cookie", "set-cookie", "x-csrf-token"];
/** Fields of requests and of responses. An error's `code` is none. */
const secretSent = /password|code|totp|secret|token|^key$/i;
const secretReceived = /password|recovery|secret|token|otpauth|^key$/i;
const mask = "***";

/** Prints each request and its response. Secrets are masked, so that the output can be sent to support. */
export function debugging(fetch: Fetch, screen: Screen): Fetch {
  const print = (sign: string, lines: readonly string[]) => {
    for (const line of lines) screen.write(`${sign} ${cleanText(line)}\n`);
  };
  return async (url, init) => {
    print(">", [`${init.method} ${url}`, ...sentLines(init)]);
    const start = performance.now();
    const took = () => `after ${Math.round(performance.now() - start)} ms`;
    try {
      const answer = await fetch(url, init);
      // The body can be read only once.
      const bytes = await answer.arrayBuffer();
      const { status, headers } = answer;
      const id = headers.get("x-request-id");
      print("<", [
        `${status} ${took()}${id === null ? "" : `, request ${id}`}`,
        ...bodyLines(new TextDecoder().decode(bytes), secretReceived),
      ]);
      return { status, headers, arrayBuffer: () => Promise.resolve(bytes) };
    } catch (error) {
      print("<", [`no response ${took()}: ${String(error)}`]);
      throw error;
    }
  };
}

function sentLines({ headers, body }: WireRequest): readonly string[] {
  const lines = Object.entries(headers).map(([name, value]) => {
    const isSecret = secretHeaders.includes(name.toLowerCase());
    return `${name}: ${isSecret ? mask : value}`;
  });
  return [...lines, ...(body === undefined ? [] : bodyLines(body, secretSent))];
}

/** Only JSON is printed, because the secrets in anything else are unknown. */
function bodyLines(body: string, secret: RegExp): readonly string[] {
  if (body === "") return [];
  try {
    return cleanLines(JSON.stringify(masked(JSON.parse(body), secret), undefined, 2)).split("\n");
  } catch {
    return [`${body.length} characters that are not JSON`];
  }
}

function masked(value: unknown, secret: RegExp): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, secret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secret.test(name) && item !== null ? mask : masked(item, secret),
    ]),
  );
}
