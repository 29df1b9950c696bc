import { Page } from "#ui/page.tsx";
import { ApiKeysPanel } from "./api-keys/api-keys-panel.tsx";
import { SshKeysPanel } from "./ssh-keys/ssh-keys-panel.tsx";

export function KeysPage() {
  return (
    <Page
      title="SSH and API keys"
      lead="SSH keys get you into your servers. API keys let programs read your account; they can change nothing."
    >
      <SshKeysPanel />
      <ApiKeysPanel />
    </Page>
  );
}
