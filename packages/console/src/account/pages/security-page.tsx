import type { ReactNode } from "react";
import { Page } from "#ui/page.tsx";
import { ClosePanel } from "./accounts/close-panel.tsx";
import { ExportPanel } from "./accounts/export-panel.tsx";
import { PasswordPanel } from "./accounts/password-panel.tsx";
import { ProtectionPanel, securityParts } from "./accounts/protection-panel.tsx";
import { SecondFactorPanel } from "./accounts/second-factor-panel.tsx";
import { ContactPanel } from "./contact/contact-panel.tsx";
import { AccountPasskeys } from "./passkeys/passkeys-panel.tsx";
import { WithdrawalAddressesPanel } from "./withdrawal-addresses/addresses-panel.tsx";
import { SessionsPanel } from "./sessions/sessions-panel.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";

/** From signing in to money to what the service stores. */
export function SecurityPage() {
  return (
    <Page
      title="Security"
      lead={
        <>
          How you sign in, and where withdrawals can go. To see what happened, view your{" "}
          <TextLink to={accountRoutes.activity}>activity</TextLink>.
        </>
      }
    >
      <ProtectionPanel />
      <Part id={securityParts.secondFactor}>
        <SecondFactorPanel />
      </Part>
      <Part id={securityParts.passkeys}>
        <AccountPasskeys />
      </Part>
      <PasswordPanel />
      <Part id={securityParts.sessions}>
        <SessionsPanel />
      </Part>
      <Part id={securityParts.withdrawals}>
        <WithdrawalAddressesPanel />
      </Part>
      <Part id={securityParts.contact}>
        <ContactPanel />
      </Part>
      <ExportPanel />
      <ClosePanel />
    </Page>
  );
}

/** A place that a link leads to, below the bar that phones show. */
function Part({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <div id={id} className="scroll-mt-[calc(var(--shell-top)+1rem)] empty:hidden">
      {children}
    </div>
  );
}
