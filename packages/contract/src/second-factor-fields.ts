import { Type } from "typebox";
import { credential } from "./credential-fields.ts";
import { limits } from "./limits.ts";
import { text } from "./schemas.ts";

/** A code of the authenticator app or a recovery code, at sign-in. */
export const totp = Type.Optional(credential(limits.recoveryCode.max));

export const begunTotp = Type.Object({
  secret: text("Base32, for manual entry.", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"),
  otpauthUri: text(
    "The same secret as an `otpauth:` URI, for a QR code.",
    "otpauth://totp/Ironlease:alice?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Ironlease",
  ),
});

export const totpConfirmation = Type.Object(
  { code: credential(limits.recoveryCode.max) },
  { additionalProperties: false },
);

export const confirmedTotp = Type.Object({
  recoveryCodes: Type.Array(Type.String({ examples: ["7QRWP-C1JZV-4GXKD-92MTN-8HB3E"] }), {
    description: "Each replaces a code for one sign-in. Shown only once.",
  }),
});
