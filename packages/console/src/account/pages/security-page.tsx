import { Page } from "#ui/page.tsx";
import { PasswordPanel } from "./accounts/password-panel.tsx";
import { ContactPanel } from "./contact/contact-panel.tsx";
import { WithdrawalAddressesPanel } from "./withdrawal-addresses/addresses-panel.tsx";
import { SessionsPanel } from "./sessions/sessions-panel.tsx";

export function SecurityPage() {
  return (
    <Page title="Security" lead="Your sessions, your password and where your money may go">
      <SessionsPanel />
      <PasswordPanel />
      <WithdrawalAddressesPanel />
      <ContactPanel />
    </Page>
  );
}
