import { addSshKey } from "#features/ssh-keys/add-ssh-key.ts";
import { listSshKeys, type SshKeyRecord } from "#features/ssh-keys/list-ssh-keys.ts";
import { removeSshKey } from "#features/ssh-keys/remove-ssh-key.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type SshKeys = "listSshKeys" | "addSshKey" | "removeSshKey";

export function sshKeyHandlers(core: Core): Handlers<SshKeys> {
  return {
    listSshKeys: async ({ account }) => {
      const keys = await listSshKeys(core, account.accountId);
      return ok({ status: 200, body: { sshKeys: keys.map(sshKeyOnWire) } });
    },
    addSshKey: async ({ core, caller, body }) => {
      const result = await addSshKey(core, caller, body);
      return result.ok ? ok({ status: 201, body: sshKeyOnWire(result.value) }) : result;
    },
    removeSshKey: async ({ core, caller, parameters }) => {
      const result = await removeSshKey(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

export function sshKeyOnWire(record: SshKeyRecord) {
  return { ...record, createdAt: isoTime(record.createdAt) };
}
