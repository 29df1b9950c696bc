import type { ReadServerAnswer } from "@ironlease/client";
import { Panel } from "#ui/panel.tsx";
import { CancelPanel } from "./cancel-panel.tsx";
import { LabelEditor } from "./label-editor.tsx";
import { RenewalPanel } from "./renewal-panel.tsx";

export function SettingsTab({ server }: { readonly server: ReadServerAnswer }) {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <Panel title="Label" description="Your own name for the server. Operators see it too.">
        <LabelEditor server={server} />
      </Panel>
      <RenewalPanel server={server} />
      {server.state === "PROVISIONING" && <CancelPanel server={server} />}
    </div>
  );
}
