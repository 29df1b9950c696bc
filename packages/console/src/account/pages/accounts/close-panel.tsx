import { OutcomeUnknown } from "@ironlease/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { accountRoutes } from "#app/urls.ts";
import { clearSession } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { PasswordField } from "#ui/field.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

export function ClosePanel() {
  const [isOpen, setIsOpen] = useState(false);
  const left = useWhatIsLeft();
  return (
    <Panel
      title="Close account"
      description="Ends all access and erases your personal data. Accounting records stay. This cannot be undone."
    >
      <div className="flex max-w-2xl flex-col gap-5">
        {left !== undefined && left.length > 0 && (
          <Notice tone="warn" title="Your account is not empty">
            <ul className="list-disc pl-5">
              {left.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Notice>
        )}
        <div>
          <Button
            variant="danger"
            disabled={left === undefined || left.length > 0}
            onClick={() => setIsOpen(true)}
          >
            Close account
          </Button>
        </div>
      </div>
      {isOpen && <CloseDialog onClose={() => setIsOpen(false)} />}
    </Panel>
  );
}

/** What must end first, and what to do about it. Undefined until everything is read. */
function useWhatIsLeft(): readonly string[] | undefined {
  const counts = useQuery(reads.serverCounts).data?.serverCounts;
  const account = useQuery(reads.accountChanges).data;
  const deposits = useQuery(reads.deposits).data?.deposits;
  if (counts === undefined || account === undefined || deposits === undefined) return undefined;
  const left: string[] = [];
  const servers = counts.reduce((sum, group) => sum + group.servers, 0);
  if (servers > 0) {
    const count = servers === 1 ? "1 server" : `${servers} servers`;
    left.push(`${count}: turn off renewal and wait until the term ends.`);
  }
  if (account.heldUsd > 0) {
    left.push(`${moneyText(account.heldUsd)} held: wait until the withdrawal is paid or rejected.`);
  }
  if (deposits.some(({ state }) => state === "CONFIRMING")) {
    left.push("A deposit is on its way: wait until it is credited.");
  }
  if (account.balanceUsd >= 1) {
    left.push(`Balance of ${moneyText(account.balanceUsd)}: withdraw it.`);
  } else if (account.balanceUsd > 0) {
    left.push(
      `Balance of ${moneyText(account.balanceUsd)}, too little to withdraw: write to the operators.`,
    );
  }
  return left;
}

function CloseDialog({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState("");
  const username = useQuery(reads.account).data?.username ?? "";
  const queries = useQueryClient();
  const navigate = useNavigate();
  const close = useChange(async () => {
    await client.closeAccount({ password });
    await navigate({ to: accountRoutes.signIn, search: { changed: "closed" } });
    queries.clear();
    clearSession();
  });
  return (
    <ConfirmDialog
      isOpen
      title="Close this account?"
      description={
        <p>
          All sessions, API keys and webhooks end, and your personal data is erased. Export your
          data first if you want a copy.
        </p>
      }
      confirmLabel="Close account"
      isDangerous
      isPending={close.isPending}
      isBlocked={password === ""}
      typed={{ label: "username", text: username }}
      error={close.error}
      onConfirm={() => close.mutate(undefined)}
      onClose={onClose}
    >
      {close.error instanceof OutcomeUnknown && (
        <Notice tone="info" title="The account may be closed">
          <p>Reload the page. If you can no longer sign in, the account is closed.</p>
        </Notice>
      )}
      <PasswordField
        name="password"
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
      />
    </ConfirmDialog>
  );
}
