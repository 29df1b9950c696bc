import type { Command } from "../command.ts";
import { api } from "./api.ts";
import { listCatalogue } from "./catalogue/list.ts";
import { completion } from "./completion.ts";
import { createDeposit } from "./deposits/create.ts";
import { listDeposits } from "./deposits/list.ts";
import { watchDeposit } from "./deposits/watch.ts";
import { createKey } from "./api-keys/create.ts";
import { listKeys } from "./api-keys/list.ts";
import { revokeKey } from "./api-keys/revoke.ts";
import { listLedger } from "./ledger/list.ts";
import { login } from "./sessions/login.ts";
import { logout } from "./sessions/logout.ts";
import { clearPtr } from "./network/clear-ptr.ts";
import { listNetwork } from "./network/list.ts";
import { setPtr } from "./network/set-ptr.ts";
import { createOrder } from "./orders/create.ts";
import { listOrders } from "./orders/list.ts";
import { password } from "./accounts/password.ts";
import { listProfiles } from "./profiles/list.ts";
import { removeProfile } from "./profiles/remove.ts";
import { useProfile } from "./profiles/use.ts";
import { quote } from "./catalogue/quote.ts";
import { recover } from "./accounts/recover.ts";
import { register } from "./accounts/register.ts";
import { setDdos } from "./servers/ddos.ts";
import { kvm } from "./servers/kvm.ts";
import { listServers } from "./servers/list.ts";
import { mountIso } from "./servers/mount-iso.ts";
import { powerOff } from "./servers/power-off.ts";
import { reboot } from "./servers/reboot.ts";
import { reinstall } from "./servers/reinstall.ts";
import { setRenewal } from "./servers/renewal.ts";
import { rotateRootPassword } from "./servers/rotate-root-password.ts";
import { showServer } from "./servers/show.ts";
import { listSessions } from "./sessions/list.ts";
import { revokeSession } from "./sessions/revoke.ts";
import { addSshKey } from "./ssh-keys/add.ts";
import { listSshKeys } from "./ssh-keys/list.ts";
import { removeSshKey } from "./ssh-keys/remove.ts";
import { whoami } from "./accounts/whoami.ts";
import { withdraw } from "./withdrawals/request.ts";

/** The table: every command, in the order in which somebody new comes to need them. */
export const table: readonly Command[] = [
  ...[register, login, logout, whoami, password, recover],
  ...[listCatalogue, quote],
  ...[createDeposit, listDeposits, watchDeposit, withdraw, listLedger],
  ...[createOrder, listOrders],
  ...[listServers, showServer, reboot, powerOff, reinstall, mountIso, kvm, rotateRootPassword],
  ...[setDdos, setRenewal],
  ...[listNetwork, setPtr, clearPtr],
  ...[addSshKey, listSshKeys, removeSshKey],
  ...[createKey, listKeys, revokeKey],
  ...[listSessions, revokeSession],
  ...[listProfiles, useProfile, removeProfile],
  ...[api, completion],
];
