import type { QueryKey } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { lazyPart } from "../lazy-part.tsx";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { CopyValue } from "#ui/copy-button.tsx";
import { useRetryDelay } from "#ui/error-notice.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Skeleton } from "#ui/states.tsx";
import { ChangeError } from "./change-error.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const QrCode = lazyPart(async () => (await import("#ui/qr-code.tsx")).QrCode);

interface BegunTotp {
  readonly secret: string;
  readonly otpauthUri: string;
}

/** The requests of a customer or an operator. */
export interface SetupRequests {
  readonly begin: () => Promise<BegunTotp>;
  readonly confirm: (request: {
    readonly code: string;
  }) => Promise<{ readonly recoveryCodes: readonly string[] }>;
  /** For a sign-in that is too long ago. */
  readonly signOut: () => void;
  /** The key of the query that shows whether the second factor is on. */
  readonly changes: QueryKey;
  /** Of the downloaded recovery codes. */
  readonly fileName: string;
}

/** Shows the TOTP secret, verifies a first code, then shows the recovery codes. */
export function SecondFactorSetup({
  requests,
  onDone,
}: {
  readonly requests: SetupRequests;
  readonly onDone: () => void;
}) {
  const { fileName } = requests;
  const begin = useChange(() => requests.begin());
  const confirm = useChange(requests.confirm, [requests.changes]);
  if (confirm.data !== undefined) {
    const { recoveryCodes } = confirm.data;
    return <RecoveryCodes fileName={fileName} codes={recoveryCodes} onContinue={onDone} />;
  }
  if (begin.data === undefined) {
    return (
      <div className="flex flex-col gap-5">
        {begin.error !== null && (
          <ChangeError error={begin.error} onSignOut={() => requests.signOut()} />
        )}
        <p className="text-sm text-quiet">
          You need an authenticator app on another device. It stores a secret and shows a new code
          every 30 seconds.
        </p>
        <Button variant="primary" isPending={begin.isPending} onClick={() => begin.mutate()}>
          Show secret
        </Button>
      </div>
    );
  }
  return (
    <Confirm
      begun={begin.data}
      error={confirm.error}
      isPending={confirm.isPending}
      onConfirm={(code) => confirm.mutate({ code })}
    />
  );
}

function Confirm({
  begun,
  error,
  isPending,
  onConfirm,
}: {
  readonly begun: BegunTotp;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onConfirm: (code: string) => void;
}) {
  const [code, setCode] = useState("");
  const waitMs = useRetryDelay(error);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-5">
        <Suspense fallback={<Skeleton className="size-44" />}>
          <QrCode text={begun.otpauthUri} label="QR code of the secret" />
        </Suspense>
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-1">
          <span className="text-sm text-quiet">Or enter the secret</span>
          <CopyValue text={begun.secret} what="secret" />
        </div>
      </div>
      <Form
        label="Confirm second factor"
        error={error}
        onSubmit={() => {
          if (code.trim() !== "") onConfirm(code.trim());
        }}
      >
        <TextField
          name="code"
          label="Code from the app"
          value={code}
          onChange={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          isMono
        />
        <Button
          type="submit"
          variant="primary"
          isPending={isPending}
          disabled={waitMs > 0 || code.trim() === ""}
        >
          Turn on
        </Button>
      </Form>
    </div>
  );
}
