import { Authenticator, type Fault } from "./authenticator.ts";
import type { Answer, Send } from "./https-client.ts";

/** The passkey operations of one listener, as a client with a software authenticator calls them. */
export function passkeyClient(url: string, base: "/api/v1" | "/operator/v1") {
  const origin = `https://localhost:${new URL(url).port}`;
  const begin = async (send: Send) => {
    const begun = await send("POST", `${base}/auth/passkeys/begin`);
    if (begun.status !== 200) throw new Error(`begin answered ${begun.text}`);
    return begun.json.options;
  };
  const finish = (send: Send, credential: object, name = "Work laptop"): Promise<Answer> =>
    send("POST", `${base}/auth/passkeys/finish`, { body: { name, credential } });
  const beginSignIn = async (send: Send) => {
    const begun = await send("POST", `${base}/auth/passkey-login/begin`);
    if (begun.status !== 200) throw new Error(`begin answered ${begun.text}`);
    return begun.json.options;
  };
  const finishSignIn = (send: Send, credential: object, headers = {}): Promise<Answer> =>
    send("POST", `${base}/auth/passkey-login/finish`, { body: { credential }, headers });
  return {
    origin,
    begin,
    finish,
    beginSignIn,
    finishSignIn,
    list: async (send: Send) => (await send("GET", `${base}/passkeys`)).json.passkeys,
    remove: (send: Send, id: string) => send("DELETE", `${base}/passkeys/${id}`),
    /** Adds a passkey of a new authenticator, which the owner keeps. */
    async add(send: Send, authenticator = new Authenticator(origin), fault: Fault = {}) {
      const added = await finish(send, authenticator.create(await begin(send), fault));
      if (added.status !== 201) throw new Error(`finish answered ${added.text}`);
      return { authenticator, id: added.json.id as string, json: added.json };
    },
    /** Signs in with the authenticator, or tries to. */
    async signIn(send: Send, authenticator: Authenticator, fault: Fault = {}, headers = {}) {
      return finishSignIn(send, authenticator.get(await beginSignIn(send), fault), headers);
    },
  };
}
