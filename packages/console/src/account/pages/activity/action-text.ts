import { sentenceCase } from "#ui/sentence-case.ts";

/** What each action of the audit log means to the customer. */
const texts: Readonly<Record<string, string>> = {
  "account.register": "Account created",
  "account.recover": "Password replaced with the recovery code",
  "account.refuse_recovery": "Recovery with a wrong recovery code",
  "account.export": "Account data exported",
  "account.close": "Account closed",
  "account.change_password": "Password changed",
  "account.refuse_password": "Password change with a wrong current password",
  "account.begin_totp": "Second-factor setup started",
  "account.confirm_totp": "Second factor turned on",
  "account.remove_totp": "Second factor turned off",
  "account.refuse_second_factor": "Sign-in or setup with a wrong second-factor code",
  "account.use_recovery_code": "Second-factor recovery code used",
  "account.adjust": "Balance adjusted by an operator",
  "account.freeze": "Account frozen by an operator",
  "account.unfreeze": "Account unfrozen by an operator",
  "account.end_access": "All sessions and API keys ended by an operator",
  "session.start": "Signed in",
  "session.refuse": "Sign-in with a wrong password",
  "session.end": "Signed out",
  "session.revoke": "Session ended",
  "session.evict": "Oldest session ended to make room for a new one",
  "api_key.create": "API key created",
  "api_key.revoke": "API key revoked",
  "api_key.displace": "Expired API key removed to make room for a new one",
  "passkey.add": "Passkey added",
  "passkey.remove": "Passkey removed",
  "passkey.refuse_counter": "Sign-in refused: the passkey may have been copied",
  "ssh_key.add": "SSH key added",
  "ssh_key.remove": "SSH key removed",
  "order.place": "Order placed",
  "server.request_action": "Hardware action requested",
  "server.request_ddos_mode": "DDoS mode change requested",
  "server.withdraw_ddos_mode": "DDoS mode change cancelled",
  "server.accept_ddos_quote": "DDoS quote accepted",
  "server.set_renewal": "Automatic renewal changed",
  "server.set_label": "Server label changed",
  "server.cancel": "Server cancelled before delivery",
  "assignment.set_ptr": "Reverse DNS name changed",
  "deposit_address.create": "Deposit address created",
  "withdrawal.request": "Withdrawal requested",
  "withdrawal_address.add": "Withdrawal address saved",
  "withdrawal_address.remove": "Withdrawal address removed",
  "withdrawals.lock": "Withdrawals locked",
  "withdrawals.unlock": "Withdrawal unlock requested",
  "contact.set": "E-mail address changed",
  "contact.confirm": "E-mail address confirmed",
  "contact.refuse_code": "E-mail confirmation with a wrong code",
  "contact.remove": "E-mail address removed",
  "webhook.create": "Webhook created",
  "webhook.delete": "Webhook deleted",
  "webhook.test": "Test event requested for a webhook",
  "webhook.redeliver": "Event sent to a webhook again",
  "webhook.rotate_secret": "Webhook secret replaced",
  "thread.open": "Message thread opened",
  "thread.send_message": "Message sent",
  "thread.close": "Message thread closed",
};

/** An action without a text is shown by its name: `order.place` as "Order place". */
export function actionText(action: string): string {
  return texts[action] ?? sentenceCase(action.replace(".", "_"));
}

export function isRefused(action: string): boolean {
  return action.includes(".refuse");
}

/** Whether a text describes the action. */
export function hasText(action: string): boolean {
  return action in texts;
}
