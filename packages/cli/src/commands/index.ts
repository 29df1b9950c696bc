import type { Command } from "../command-line/command.ts";
import { api } from "./api.ts";
import { listCatalogue } from "./catalogue/list.ts";
import { completion } from "./completion.ts";
import { createDeposit } from "./deposit/create.ts";
import { listDeposits } from "./deposit/list.ts";
import { watchDeposit } from "./deposit/watch.ts";
import { createKey } from "./key/create.ts";
import { listKeys } from "./key/list.ts";
import { revokeKey } from "./key/revoke.ts";
import { listLedger } from "./ledger/list.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { clearPtr } from "./network/clear-ptr.ts";
import { listNetwork } from "./network/list.ts";
import { setPtr } from "./network/set-ptr.ts";
import { createOrder } from "./order/create.ts";
import { listOrders } from "./order/list.ts";
import { password } from "./password.ts";
import { listProfiles } from "./profile/list.ts";
import { removeProfile } from "./profile/remove.ts";
import { useProfile } from "./profile/use.ts";
import { quote } from "./quote.ts";
import { recover } from "./recover.ts";
import { register } from "./register.ts";
import { setDdos } from "./server/ddos.ts";
import { kvm } from "./server/kvm.ts";
import { listServers } from "./server/list.ts";
import { mountIso } from "./server/mount-iso.ts";
import { powerOff } from "./server/power-off.ts";
import { reboot } from "./server/reboot.ts";
import { reinstall } from "./server/reinstall.ts";
import { setRenewal } from "./server/renewal.ts";
import { rotateRootPassword } from "./server/rotate-root-password.ts";
import { showServer } from "./server/show.ts";
import { listSessions } from "./session/list.ts";
import { revokeSession } from "./session/revoke.ts";
import { addSshKey } from "./ssh-key/add.ts";
import { listSshKeys } from "./ssh-key/list.ts";
import { removeSshKey } from "./ssh-key/remove.ts";
import { whoami } from "./whoami.ts";
import { withdraw } from "./withdraw.ts";

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
