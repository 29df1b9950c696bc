import { brand } from "#data/brand.ts";
import { OutsideLink } from "./text-link.tsx";

/** The logo and the name. */
export function Brand({ suffix }: { readonly suffix?: string | undefined }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      {brand.logo === undefined ? <OwnLogo /> : <img src={brand.logo} alt="" className="size-7" />}
      {brand.name}
      {suffix !== undefined && <span className="font-normal text-quiet">{suffix}</span>}
    </span>
  );
}

function OwnLogo() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-7 shrink-0">
      <rect width="32" height="32" rx="7" fill="#a63c12" />
      <g fill="#fff">
        <rect x="7" y="7" width="18" height="5" rx="1.5" />
        <rect x="7" y="13.5" width="18" height="5" rx="1.5" opacity=".85" />
        <rect x="7" y="20" width="18" height="5" rx="1.5" opacity=".7" />
      </g>
      <g fill="#a63c12">
        <circle cx="10" cy="9.5" r="1.2" />
        <circle cx="10" cy="16" r="1.2" />
        <circle cx="10" cy="22.5" r="1.2" />
      </g>
    </svg>
  );
}

/** How to reach the service's people, and its terms, if the service names them. */
export function BrandLinks() {
  const { support, termsUrl, privacyUrl } = brand;
  if ((support ?? termsUrl ?? privacyUrl) === undefined) return null;
  return (
    <p className="flex flex-wrap justify-center gap-x-6 gap-y-2 text-sm text-quiet">
      {support !== undefined && <span className="wrap-anywhere">{support}</span>}
      {termsUrl !== undefined && <OutsideLink href={termsUrl}>Terms</OutsideLink>}
      {privacyUrl !== undefined && <OutsideLink href={privacyUrl}>Privacy</OutsideLink>}
    </p>
  );
}
