import type { ReactNode } from "react";
import { OfflineBar } from "#app/offline-bar.tsx";
import { Brand } from "#ui/brand.tsx";
import { DeskCorner } from "./desk-corner.tsx";
import { Navigation } from "./navigation.tsx";
import { PhoneMenu } from "./phone-menu.tsx";

/** The frame of every page of the desk: where one can go, who one is, and the page. */
export function DeskShell({ children }: { readonly children: ReactNode }) {
  return (
    <div className="lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 rounded-md bg-surface px-4 py-2 text-sm font-medium not-focus:sr-only focus:shadow-float"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-6 overflow-y-auto border-r border-line bg-surface p-3 lg:flex">
        <div className="px-2 pt-3">
          <Brand suffix="desk" />
        </div>
        <Navigation />
        <div className="mt-auto">
          <DeskCorner />
        </div>
      </aside>
      <PhoneMenu />
      <div className="min-w-0">
        <OfflineBar />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto flex max-w-[104rem] flex-col gap-5 px-4 pt-5 pb-16 sm:px-6 lg:pt-7"
        >
          {children}
        </main>
      </div>
    </div>
  );
}
