import type { ReactNode } from "react";
import { OfflineBar } from "./offline-bar.tsx";
import { ThemeSwitch } from "#ui/theme-switch.tsx";
import { Brand, BrandLinks } from "#ui/brand.tsx";
import { useWindowTitle } from "#ui/page.tsx";

/** The frame of pages that need no session: one form, centred. */
export function AccessFrame({
  title,
  lead,
  brandSuffix,
  children,
  footer,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Shown beside the brand name. */
  readonly brandSuffix?: string | undefined;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}) {
  useWindowTitle(title);
  return (
    <div className="flex min-h-dvh flex-col">
      <OfflineBar />
      <header className="flex items-center justify-between gap-4 p-4 sm:p-6">
        <Brand suffix={brandSuffix} />
        <ThemeSwitch />
      </header>
      <main className="mx-auto flex w-full max-w-md grow flex-col justify-center gap-6 px-4 pb-24">
        <div className="flex flex-col gap-6 rounded-lg border border-line bg-surface p-6 shadow-panel sm:p-8">
          <div className="flex flex-col gap-1.5">
            <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
            {lead !== undefined && <p className="text-quiet">{lead}</p>}
          </div>
          {children}
        </div>
        {footer !== undefined && (
          <div className="flex flex-wrap justify-center gap-x-6 gap-y-2 text-sm">{footer}</div>
        )}
        <BrandLinks />
      </main>
    </div>
  );
}
