import type { Ironlease } from "#command.ts";
import { globalOptions } from "#shared-options.ts";
import { beginSecondFactor } from "./accounts/begin-second-factor.ts";
import { confirmSecondFactor } from "./accounts/confirm-second-factor.ts";
import { closeAccount } from "./accounts/close.ts";
import { exportAccount } from "./accounts/export.ts";
import { password } from "./accounts/password.ts";
import { recover } from "./accounts/recover.ts";
import { register } from "./accounts/register.ts";
import { removeSecondFactor } from "./accounts/remove-second-factor.ts";
import { whoami } from "./accounts/whoami.ts";
import { createKey } from "./api-keys/create.ts";
import { listKeys } from "./api-keys/list.ts";
import { revokeKey } from "./api-keys/revoke.ts";
import { listActivity } from "./activity/list.ts";
import { api } from "./api.ts";
import { listCatalogue } from "./catalogue/list.ts";
import { quote } from "./catalogue/quote.ts";
import { complete } from "./complete.ts";
import { completion } from "./completion.ts";
import { confirmContact } from "./contact/confirm.ts";
import { removeContact } from "./contact/remove.ts";
import { setContact } from "./contact/set.ts";
import { showContact } from "./contact/show.ts";
import { createDeposit } from "./deposits/create.ts";
import { listDeposits } from "./deposits/list.ts";
import { watchDeposit } from "./deposits/watch.ts";
import { listLedger } from "./ledger/list.ts";
import { clearPtr } from "./network/clear-ptr.ts";
import { listNetwork } from "./network/list.ts";
import { setPtr } from "./network/set-ptr.ts";
import { listNotices } from "./notices/list.ts";
import { open } from "./open.ts";
import { createOrder } from "./orders/create.ts";
import { listOrders } from "./orders/list.ts";
import { listProfiles } from "./profiles/list.ts";
import { removeProfile } from "./profiles/remove.ts";
import { useProfile } from "./profiles/use.ts";
import { listRates } from "./rates/list.ts";
import { acceptQuote } from "./servers/accept-quote.ts";
import { cancelServer } from "./servers/cancel.ts";
import { setDdos } from "./servers/ddos.ts";
import { kvm } from "./servers/kvm.ts";
import { setLabel } from "./servers/label.ts";
import { listServers } from "./servers/list.ts";
import { mountIso } from "./servers/mount-iso.ts";
import { powerOff } from "./servers/power-off.ts";
import { reboot } from "./servers/reboot.ts";
import { reinstall } from "./servers/reinstall.ts";
import { setRenewal } from "./servers/renewal.ts";
import { rotateRootPassword } from "./servers/rotate-root-password.ts";
import { sshServer } from "./servers/ssh.ts";
import { waitServer } from "./servers/wait.ts";
import { showServer } from "./servers/show.ts";
import { listSessions } from "./sessions/list.ts";
import { login } from "./sessions/login.ts";
import { logout } from "./sessions/logout.ts";
import { revokeSession } from "./sessions/revoke.ts";
import { showIdempotencyKey } from "./idempotency-keys/show.ts";
import { addSshKey } from "./ssh-keys/add.ts";
import { listSshKeys } from "./ssh-keys/list.ts";
import { removeSshKey } from "./ssh-keys/remove.ts";
import { listLiabilities } from "./liabilities/list.ts";
import { saveLiabilities } from "./liabilities/save.ts";
import { saveStatement } from "./statements/save.ts";
import { verifyStatement } from "./statements/verify.ts";
import { listMessages } from "./threads/list.ts";
import { openMessage } from "./threads/open.ts";
import { sendMessage } from "./threads/send.ts";
import { showMessages } from "./threads/show.ts";
import { createWebhook } from "./webhooks/create.ts";
import { deleteWebhook } from "./webhooks/delete.ts";
import { listDeliveries } from "./webhooks/deliveries.ts";
import { listWebhooks } from "./webhooks/list.ts";
import { redeliver } from "./webhooks/redeliver.ts";
import { rotateWebhook } from "./webhooks/rotate.ts";
import { testWebhook } from "./webhooks/test.ts";
import { listWithdrawals } from "./withdrawals/list.ts";
import { withdraw } from "./withdrawals/request.ts";
import { addWithdrawalAddress } from "./withdrawal-addresses/add.ts";
import { listWithdrawalAddresses } from "./withdrawal-addresses/list.ts";
import { removeWithdrawalAddress } from "./withdrawal-addresses/remove.ts";
import { setWithdrawalLock } from "./withdrawal-addresses/set-lock.ts";
import { showWithdrawalLock } from "./withdrawal-addresses/show-lock.ts";

/** Commands in the order in which a new customer needs them. */
const commands = [
  register,
  login,
  logout,
  whoami,
  password,
  recover,
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  listCatalogue,
  quote,
  createDeposit,
  listDeposits,
  watchDeposit,
  listRates,
  withdraw,
  listWithdrawals,
  addWithdrawalAddress,
  listWithdrawalAddresses,
  removeWithdrawalAddress,
  showWithdrawalLock,
  setWithdrawalLock,
  showIdempotencyKey,
  listLedger,
  saveStatement,
  verifyStatement,
  listLiabilities,
  saveLiabilities,
  createOrder,
  listOrders,
  listServers,
  showServer,
  waitServer,
  sshServer,
  reboot,
  powerOff,
  reinstall,
  mountIso,
  kvm,
  rotateRootPassword,
  setDdos,
  acceptQuote,
  setRenewal,
  setLabel,
  cancelServer,
  listNetwork,
  setPtr,
  clearPtr,
  listMessages,
  showMessages,
  openMessage,
  sendMessage,
  listNotices,
  createWebhook,
  listWebhooks,
  testWebhook,
  listDeliveries,
  redeliver,
  rotateWebhook,
  deleteWebhook,
  showContact,
  setContact,
  confirmContact,
  removeContact,
  addSshKey,
  listSshKeys,
  removeSshKey,
  createKey,
  listKeys,
  revokeKey,
  listSessions,
  revokeSession,
  listActivity,
  exportAccount,
  closeAccount,
  open,
  listProfiles,
  useProfile,
  removeProfile,
  api,
  completion,
  complete,
];

export const ironlease: Ironlease = {
  name: "ironlease",
  summary: "Rent physical servers and pay in cryptocurrency.",
  commands,
  globalOptions,
  completes: "__complete",
  firstSteps: {
    title: "Get started with a local preview",
    lines: ["ironlease register --ca data/tls/ca.pem", "ironlease catalogue list"],
  },
  notes: [
    "Scripts can read with an API key: set IRONLEASE_API_KEY and IRONLEASE_URL.",
    "Exit codes: docs/reference/cli.md",
  ],
};
