/** What the service calls itself and looks like, in pages and e-mails. */
export interface Brand {
  readonly name: string;
  readonly logo?: { readonly type: "image/svg+xml" | "image/png"; readonly body: Buffer };
  /** The background of the primary action by theme. White text on it is readable. */
  readonly accent?: { readonly light: string; readonly dark: string };
  /** How customers reach the service's people. */
  readonly support?: string;
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
}

export const ownBrand: Brand = { name: "Ironlease" };
