import type {
  ListApiKeysAnswer,
  ListPasskeysAnswer,
  ListSessionsAnswer,
  ListWithdrawalAddressesAnswer,
  ReadAccountAnswer,
  ReadContactAnswer,
  ReadWithdrawalLockAnswer,
} from "@ironlease/client";

/** How well one part protects the account. `plain`: there is nothing to protect. */
export interface Protection {
  readonly state: "on" | "off" | "plain";
  readonly label: string;
  readonly detail: string;
  /** The last change, if it is known. */
  readonly last?: { readonly what: string; readonly at: string } | undefined;
}

export function secondFactorStatus({ secondFactor }: ReadAccountAnswer): Protection {
  return secondFactor === "on"
    ? { state: "on", label: "On", detail: "Signing in needs a code from your app." }
    : { state: "off", label: "Off", detail: "Your password alone is enough to sign in." };
}

export function passkeyStatus({ passkeys }: ListPasskeysAnswer): Protection {
  if (passkeys.length === 0) {
    return { state: "off", label: "None", detail: "Sign in without a password that can leak." };
  }
  const detail = "You can sign in without your password.";
  return { state: "on", label: String(passkeys.length), detail, last: latest("Added", passkeys) };
}

export function sessionStatus({ sessions }: ListSessionsAnswer): Protection {
  const detail =
    sessions.length === 1 ? "Only this browser is signed in." : "Browsers that are signed in.";
  return {
    state: "plain",
    label: String(sessions.length),
    detail,
    last: latest("Last sign-in", sessions),
  };
}

export function withdrawalStatus(
  { locked, unlocksAt }: ReadWithdrawalLockAnswer,
  { withdrawalAddresses }: ListWithdrawalAddressesAnswer,
): Protection {
  const last = latest("Address saved", withdrawalAddresses);
  if (!locked) {
    return { state: "off", label: "Not locked", detail: "They may go to any address.", last };
  }
  const count = withdrawalAddresses.length;
  const addresses = count === 1 ? "the saved address" : `your ${count} saved addresses`;
  return unlocksAt === null
    ? { state: "on", label: "Locked", detail: `They go only to ${addresses}.`, last }
    : { state: "off", label: "Unlocking", detail: "You requested an unlock.", last };
}

export function apiKeyStatus({ apiKeys }: ListApiKeysAnswer): Protection {
  if (apiKeys.length === 0) {
    return { state: "plain", label: "None", detail: "No program can read your account." };
  }
  const open = apiKeys.filter(({ allowedNetworks }) => allowedNetworks === null).length;
  const label = String(apiKeys.length);
  const last = latest("Created", apiKeys);
  if (open === 0)
    return { state: "on", label, detail: "Each works only from its allowed networks.", last };
  const few = open === apiKeys.length ? "Usable" : `${open} usable`;
  return { state: "off", label, detail: `${few} from any network.`, last };
}

export function contactStatus({ email, confirmedAt, refusedAt }: ReadContactAnswer): Protection {
  if (email === null) {
    return {
      state: "off",
      label: "None",
      detail: "You get no warnings about sign-ins and changes.",
    };
  }
  if (refusedAt !== null) {
    return {
      state: "off",
      label: "Undeliverable",
      detail: "The mail server refuses your address.",
    };
  }
  const detail = "You get warnings about sign-ins and changes.";
  const last = confirmedAt === null ? undefined : { what: "Confirmed", at: confirmedAt };
  return { state: "on", label: "On", detail, last };
}

function latest(
  what: string,
  records: readonly { readonly createdAt: string }[],
): Protection["last"] {
  const at = records
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1);
  return at === undefined ? undefined : { what, at };
}
