import { Type, type Static } from "typebox";

const link = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: "^https://[^\\s]+$",
      maxLength: 2_048,
      description: `The page with the ${what}. Linked from the sign-in page, the console and e-mails.`,
      message: "must be an https address",
    }),
  );

/** The file that `IRONLEASE_BRAND` names. */
export const brandFile = Type.Object(
  {
    name: Type.String({
      pattern: "^[^\\s\\p{Cc}](?:[^\\p{Cc}]{0,38}[^\\s\\p{Cc}])?$",
      maxLength: 40,
      description: "What the service is called.",
      message: "must have 1 to 40 characters, without spaces around them",
    }),
    logo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: "Path of a square SVG or PNG of at most 100 kB. Relative to this file.",
        message: "must be the path of an SVG or PNG file",
      }),
    ),
    accentColour: Type.Optional(
      Type.String({
        pattern: "^#[0-9A-Fa-f]{6}$",
        description: "The background of the primary action, such as #1d5a9e. Its text is white.",
        message: "must be a colour such as #1d5a9e",
      }),
    ),
    support: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: "How customers reach you, such as: Write to help@rent.example.",
        message: "must have 1 to 300 characters",
      }),
    ),
    termsUrl: link("terms of service"),
    privacyUrl: link("privacy policy"),
  },
  { additionalProperties: false, title: "BrandFile" },
);

export type BrandFile = Static<typeof brandFile>;
