import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { id, text, time } from "../schemas.ts";
import { name } from "./api-keys.ts";

/** Shared with orders. The use case checks the structure of the key. */
export const sshPublicKey = Type.String({
  minLength: 1,
  maxLength: limits.sshPublicKey.maxBytes,
  description: "One line in OpenSSH format: ed25519, ecdsa, rsa with at least 2048 bits, or sk-.",
  message: `must be one OpenSSH public key line of at most ${limits.sshPublicKey.maxBytes} bytes`,
});

const sshKey = Type.Object(
  {
    id: id("sshKey"),
    name: Type.String(),
    publicKey: Type.String(),
    fingerprint: text(
      "In the format of ssh-keygen.",
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
    description: `For use in orders. An account can have up to ${limits.sshKeysPerAccount}.`,
    body: Type.Object({ name, publicKey: sshPublicKey }, { additionalProperties: false }),
    answers: { 201: sshKey },
    errors: ["limit_reached"],
  }),
  removeSshKey: operation({
    ...ofAccount,
    method: "DELETE",
    path: "/api/v1/ssh-keys/{id}",
    summary: "Delete a saved SSH key",
    description: "Servers that were ordered with the key keep it.",
    answers: { 204: null },
    errors: [],
  }),
};
