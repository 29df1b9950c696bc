import type { ReadPayoutAnswer as Payout } from "@ironlease/client/operator";
import { Suspense, useState } from "react";
import { lazyPart } from "#app/lazy-part.tsx";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { download } from "#ui/download.ts";
import { TextArea } from "#ui/field.tsx";
import { FileButton } from "#ui/file-button.tsx";
import { Form } from "#ui/form.tsx";
import { Download } from "#ui/icons.ts";
import { remainingText } from "#ui/remaining-text.ts";
import { useNow } from "#ui/time.tsx";
import { client } from "#desk/data/client.ts";
import { fileOf, signedText } from "./transaction-file.ts";
import { usePayoutStep } from "./use-payout-step.ts";

const QrCode = lazyPart(async () => (await import("#ui/qr-code.tsx")).QrCode);

/** A code with more characters is too dense for the cameras of signing devices. */
const maxQrLength = 1_200;

/** Takes the transaction to the signer and back. */
export function SignSteps({ payout }: { readonly payout: Payout }) {
  const { unsigned, expiresAt, bumpFee } = payout;
  return (
    <>
      <ol className="flex list-decimal flex-col gap-5 pl-5 text-sm marker:font-medium">
        <li>
          <p className="mb-3">Take the transaction to the machine that has the key.</p>
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              icon={<Download aria-hidden className="size-4" />}
              onClick={() => {
                const { name, type, content } = fileOf(payout);
                download(name, type, content);
              }}
            >
              Download
            </Button>
            <CopyButton text={unsigned} what="transaction" />
          </div>
          {unsigned.length <= maxQrLength && <TransactionCode text={unsigned} />}
        </li>
        <li>
          <p>Compare amount, destinations and fee there, then sign.</p>
        </li>
        <li>
          <p className="mb-3">Bring the signed transaction back.</p>
          <UploadForm payout={payout} />
        </li>
      </ol>
      {expiresAt !== null && bumpFee === null && <Expiry at={expiresAt} />}
    </>
  );
}

function TransactionCode({ text }: { readonly text: string }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="mt-3 flex flex-col items-start gap-3">
      <Button size="small" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? "Hide QR code" : "Show QR code"}
      </Button>
      {isShown && (
        <Suspense>
          <QrCode text={text} label="QR code of the unsigned transaction" isLarge />
        </Suspense>
      )}
    </div>
  );
}

function UploadForm({ payout: { id, format } }: { readonly payout: Payout }) {
  const [signed, setSigned] = useState("");
  const upload = usePayoutStep(client.acceptSignedPayout);
  return (
    <Form
      label="Signed transaction"
      error={upload.error}
      onSubmit={() => upload.mutate({ id, signed: signed.trim() })}
    >
      <FileButton
        accept=".psbt,.txt,.hex,.json,text/plain"
        onRead={(file) => void signedText(file, format).then(setSigned)}
      />
      <TextArea
        name="signed"
        label="Or paste it"
        rows={4}
        value={signed}
        onChange={setSigned}
        autoComplete="off"
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={upload.isPending}
          disabled={signed.trim() === ""}
        >
          Check and save
        </Button>
      </div>
    </Form>
  );
}

/** An unsigned payout lapses, because its rate grows old. */
function Expiry({ at }: { readonly at: string }) {
  const leftMs = Date.parse(at) - useNow(1_000);
  return (
    <p className="text-sm text-quiet">
      Its rate is valid for <span className="figures">{remainingText(leftMs)}</span>. Then this
      payout is cancelled, and you can prepare a new one.
    </p>
  );
}
