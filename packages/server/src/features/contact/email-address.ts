import { limits } from "@ironlease/contract";
import { readHostname } from "#kernel/server-hostname.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

/** What RFC 5321 allows without quotes. Nothing in it has a meaning in a header or a list of addresses. */
const localPart = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;

/** Reads one e-mail address. The domain becomes lower case. */
export function readEmail(text: string): Result<string> {
  const [local = "", domain = "", ...rest] = text.trim().split("@");
  const host = readHostname(domain);
  const isGood =
    rest.length === 0 &&
    localPart.test(local) &&
    local.split(".").every((atom) => atom !== "") &&
    host.ok &&
    domain.includes(".");
  const email = `${local}@${domain.toLowerCase()}`;
  return isGood && email.length <= limits.emailLength
    ? ok(email)
    : refuseField("email", "must be an e-mail address such as ada@example.com");
}
