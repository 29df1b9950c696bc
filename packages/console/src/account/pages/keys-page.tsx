import { Page } from "#ui/page.tsx";
import { ApiKeysPanel } from "./api-keys/api-keys-panel.tsx";
import { SshKeysPanel } from "./ssh-keys/ssh-keys-panel.tsx";

export function KeysPage() {
  return (
    <Page
      title="SSH and API keys"
      lead="SSH keys give you access to your servers. API keys give programs read-only access to your account."
    >
      <SshKeysPanel />
      <ApiKeysPanel />
    </Page>
  );
}
