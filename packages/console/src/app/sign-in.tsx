import { ApiError } from "@ironlease/client";
import { useState } from "react";
import { PasskeySignIn, type PasskeyCeremony } from "./passkeys/passkey-sign-in.tsx";
import { PasskeyStep } from "./passkeys/passkey-step.tsx";
import { SignInForm, type SignInRequest } from "./sign-in-form.tsx";

/** Signs in a customer or an operator, with a password or with a passkey. */
export function SignIn({
  endedFor,
  signIn,
  isFactorRequest,
  passkey,
}: {
  /** The username of the session that ended, if one did. */
  readonly endedFor: string | undefined;
  readonly signIn: (request: SignInRequest) => Promise<void>;
  /** Whether the error asks for a second factor. */
  readonly isFactorRequest: (error: unknown) => boolean;
  readonly passkey: PasskeyCeremony;
}) {
  const [isPasskeyRequired, setIsPasskeyRequired] = useState(false);
  if (isPasskeyRequired) {
    return <PasskeyStep {...passkey} onBack={() => setIsPasskeyRequired(false)} />;
  }
  return (
    <>
      <SignInForm
        endedFor={endedFor}
        signIn={async (request) => {
          try {
            await signIn(request);
          } catch (error) {
            if (!isFactorRequest(error) || takesCode(error)) throw error;
            setIsPasskeyRequired(true);
          }
        }}
        isCodeRequest={isFactorRequest}
      />
      <PasskeySignIn {...passkey} />
    </>
  );
}

/** The service names the field of the code, unless passkeys are the only second factor. */
function takesCode(error: unknown): boolean {
  return error instanceof ApiError && error.fields.some(({ field }) => field === "totp");
}
