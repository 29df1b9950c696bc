import { Page } from "#ui/page.tsx";
import { ClosePanel } from "./accounts/close-panel.tsx";
import { ExportPanel } from "./accounts/export-panel.tsx";
import { PasswordPanel } from "./accounts/password-panel.tsx";
import { SecondFactorPanel } from "./accounts/second-factor-panel.tsx";
import { ContactPanel } from "./contact/contact-panel.tsx";
import { AccountPasskeys } from "./passkeys/passkeys-panel.tsx";
import { WithdrawalAddressesPanel } from "./withdrawal-addresses/addresses-panel.tsx";
import { SessionsPanel } from "./sessions/sessions-panel.tsx";

export function SecurityPage() {
  return (
    <Page title="Security" lead="How you sign in, and where your money may go">
      <SessionsPanel />
      <SecondFactorPanel />
      <PasswordPanel />
      <AccountPasskeys />
      <WithdrawalAddressesPanel />
      <ContactPanel />
      <ExportPanel />
      <ClosePanel />
    </Page>
  );
}
