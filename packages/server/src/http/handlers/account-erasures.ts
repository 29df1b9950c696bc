import { eraseAccountNotes } from "#features/customers/account-notes.ts";
import { eraseOrderKeys } from "#features/orders/erase-orders.ts";
import { eraseLowBalance } from "#features/renewals/erase-low-balance.ts";
import { eraseImageUrls } from "#features/servers/erase-actions.ts";
import { eraseSshKeys } from "#features/ssh-keys/remove-ssh-key.ts";
import { eraseWebhooks } from "#features/webhooks/delete-webhook.ts";
import { eraseNetworks } from "#kernel/access/seen-networks.ts";
import { erasePtrs } from "#kernel/addresses.ts";
import type { Erase } from "#kernel/closed-account.ts";
import { eraseContact } from "#kernel/contacts.ts";
import { eraseKeys } from "#kernel/idempotency.ts";
import { eraseMails } from "#kernel/mails.ts";
import { eraseSubscribers } from "#kernel/outbox/subscribers.ts";
import { deletePasskeys } from "#kernel/passkeys/passkeys.ts";
import { eraseOwnSealedTexts } from "#kernel/sealed-texts.ts";
import { removeFactor } from "#kernel/second-factor/stored-factor.ts";
import { eraseLabels } from "#kernel/server-states.ts";
import { eraseThreads } from "#kernel/threads.ts";
import { eraseWork } from "#kernel/work-queue/items.ts";
import { eraseGuards } from "#kernel/withdrawal-guard.ts";

/** What each noun erases when an account closes. `tools/account-data.ts` says what becomes of every table. */
export const erasures: readonly Erase[] = [
  ({ tx }, id) => deletePasskeys(tx, { side: "account", id }),
  ({ tx }, id) => removeFactor(tx, { kind: "account", id }),
  eraseSshKeys,
  eraseAccountNotes,
  eraseNetworks,
  eraseGuards,
  eraseOrderKeys,
  eraseImageUrls,
  eraseLabels,
  eraseKeys,
  eraseWork,
  eraseLowBalance,
  erasePtrs,
  eraseOwnSealedTexts,
  eraseThreads,
  eraseContact,
  eraseWebhooks,
  eraseSubscribers,
  // After the subscribers: their locks let no event become a mail meanwhile.
  eraseMails,
];
