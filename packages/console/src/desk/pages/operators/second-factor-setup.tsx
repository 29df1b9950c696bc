import type { BeginTotpAnswer } from "@ironlease/client/operator";
import { lazy, Suspense, useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { CopyValue } from "#ui/copy-button.tsx";
import { ErrorNotice, useWait } from "#ui/error-notice.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Skeleton } from "#ui/states.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { useMay } from "#desk/data/use-permissions.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

const QrCode = lazy(async () => ({ default: (await import("#ui/qr-code.tsx")).QrCode }));

/** A secret for an authenticator app, a code that shows it arrived, and the codes for a bad day. */
export function SecondFactorSetup({ onDone }: { readonly onDone: () => void }) {
  const { username = "" } = useMay();
  const begin = useChange(() => client.beginTotp());
  const confirm = useChange(client.confirmTotp, [keys.operator]);
  if (confirm.data !== undefined) {
    const { recoveryCodes } = confirm.data;
    return <RecoveryCodes username={username} codes={recoveryCodes} onKept={onDone} />;
  }
  if (begin.data === undefined) {
    return (
      <div className="flex flex-col gap-5">
        {begin.error !== null && <ErrorNotice error={begin.error} />}
        <p className="text-sm text-quiet">
          You need an authenticator app, on a device that is not this one. It gets a secret, and
          shows a new code every 30 seconds from then on.
        </p>
        <Button look="primary" isPending={begin.isPending} onClick={() => begin.mutate()}>
          Show the secret
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
  const waitMs = useWait(error);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-5">
        <Suspense fallback={<Skeleton className="size-44" />}>
          <QrCode text={begun.otpauthUri} label="QR code of the secret" />
        </Suspense>
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-1">
          <span className="text-sm text-quiet">Or type the secret in</span>
          <CopyValue text={begun.secret} what="secret" />
        </div>
      </div>
      <Form
        label="Confirm the second factor"
        error={error}
        onSubmit={() => {
          if (code.trim() !== "") onConfirm(code.trim());
        }}
      >
        <TextField
          name="code"
          label="Code that the app shows"
          value={code}
          onChange={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          isMono
        />
        <Button
          type="submit"
          look="primary"
          isPending={isPending}
          disabled={waitMs > 0 || code.trim() === ""}
        >
          Turn it on
        </Button>
      </Form>
    </div>
  );
}
