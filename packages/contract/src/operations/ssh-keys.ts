import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { id, text, time } from "../schemas.ts";
import { name } from "./api-keys.ts";

/** One OpenSSH public-key line, as orders take it too; its inner structure is checked by the service. */
export const sshPublicKey = Type.String({
  minLength: 1,
  maxLength: limits.sshPublicKey.maxBytes,
  description: "One OpenSSH public-key line: ed25519, ecdsa, rsa of 2048 bits or more, or sk-.",
  message: `must be one OpenSSH public-key line of at most ${limits.sshPublicKey.maxBytes} bytes`,
});

const sshKey = Type.Object(
  {
    id: id("sshKey"),
    name: Type.String(),
    publicKey: Type.String(),
    fingerprint: text(
      "As ssh-keygen prints it.",
      "SHA256:reQPBsKU08vqtan6GXNJU6A9nXAotPTltzJueWZSw7M",
    ),
    createdAt: time,
  },
  { title: "SshKey" },
);

const ofAccount = {
  listener: "account",
  tag: "SSH keys",
  idempotency: "none",
  extension: true,
  access: { kind: "session", scopes: [] },
} as const;

export const sshKeys = {
  listSshKeys: operation({
    ...ofAccount,
    method: "GET",
    path: "/api/v1/ssh-keys",
    summary: "List saved SSH keys",
    answers: { 200: Type.Object({ sshKeys: Type.Array(sshKey) }) },
    errors: [],
  }),
  addSshKey: operation({
    ...ofAccount,
    method: "POST",
    path: "/api/v1/ssh-keys",
    summary: "Save an SSH public key",
    description: `A key to order servers with. At most ${limits.sshKeysPerAccount}.`,
    body: Type.Object({ name, publicKey: sshPublicKey }, { additionalProperties: false }),
    answers: { 201: sshKey },
    errors: ["limit_reached"],
  }),
  removeSshKey: operation({
    ...ofAccount,
    method: "DELETE",
    path: "/api/v1/ssh-keys/{id}",
    summary: "Remove a saved SSH key",
    description: "Servers that were ordered with it keep it.",
    answers: { 204: null },
    errors: [],
  }),
};
