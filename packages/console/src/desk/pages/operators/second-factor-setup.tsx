import type { BeginTotpAnswer } from "@ironlease/client/operator";
import { lazy, Suspense, useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { CopyValue } from "#ui/copy-button.tsx";
import { ErrorNotice, useRetryDelay } from "#ui/error-notice.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Skeleton } from "#ui/states.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

const QrCode = lazy(async () => ({ default: (await import("#ui/qr-code.tsx")).QrCode }));

/** Shows the TOTP secret, verifies a first code, then shows the recovery codes. */
export function SecondFactorSetup({ onDone }: { readonly onDone: () => void }) {
  const { username = "" } = usePermissions();
  const begin = useChange(() => client.beginTotp());
  const confirm = useChange(client.confirmTotp, [keys.operator]);
  if (confirm.data !== undefined) {
    const { recoveryCodes } = confirm.data;
    return <RecoveryCodes username={username} codes={recoveryCodes} onContinue={onDone} />;
  }
  if (begin.data === undefined) {
    return (
      <div className="flex flex-col gap-5">
        {begin.error !== null && <ErrorNotice error={begin.error} />}
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
  readonly begun: BeginTotpAnswer;
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
