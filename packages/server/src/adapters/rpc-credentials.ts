import { readFile } from "node:fs/promises";

/** Where the node's RPC credentials are. Only files hold secrets. */
export type RpcCredentials =
  | { readonly cookieFile: string }
  | { readonly user: string; readonly passwordFile: string };

/** The value of the Authorization header. */
export async function readAuthorization(credentials: RpcCredentials): Promise<string> {
  const pair =
    "cookieFile" in credentials
      ? await readSecret(credentials.cookieFile)
      : `${credentials.user}:${await readSecret(credentials.passwordFile)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** Editors end a file with a line break, which is no part of the secret. */
async function readSecret(file: string): Promise<string> {
  return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
}
