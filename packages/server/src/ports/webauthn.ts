/** Verifies what authenticators sign, as WebAuthn describes it. Binary values are base64url. */
export interface Webauthn {
  /** Undefined unless the answer is right in every respect. */
  verifyRegistration(
    answer: RegistrationAnswer,
    expected: Expected,
  ): Promise<VerifiedRegistration | undefined>;
  /** Undefined unless the answer is right in every respect. The caller compares the counter. */
  verifyAssertion(
    answer: AssertionAnswer,
    expected: Expected & { readonly publicKey: string },
  ): Promise<VerifiedAssertion | undefined>;
}

/** The site that a passkey belongs to. */
export interface RelyingParty {
  /** A host name without a port. */
  readonly id: string;
  readonly origins: readonly string[];
}

interface Expected {
  readonly challenge: string;
  readonly relyingParty: RelyingParty;
}

interface Credential {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
}

export interface RegistrationAnswer extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: string[];
  };
}

export interface AssertionAnswer extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

export interface VerifiedRegistration {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly isBackedUp: boolean;
}

export interface VerifiedAssertion {
  readonly counter: number;
  readonly isBackedUp: boolean;
}
