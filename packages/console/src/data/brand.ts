/** What `IRONLEASE_BRAND` says, from the page's head. */
interface Brand {
  readonly name: string;
  /** The address of the logo. Undefined for our own. */
  readonly logo?: string;
  readonly support?: string;
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
}

export const brand = readBrand();

function readBrand(): Brand {
  const meta = document.querySelector<HTMLMetaElement>("meta[name=brand]");
  return meta === null ? { name: "Ironlease" } : (JSON.parse(meta.content) as Brand);
}
