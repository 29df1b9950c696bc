import type { ReactNode } from "react";
import { Plus } from "#ui/icons.ts";
import { OfflineBar } from "#app/offline-bar.tsx";
import { LinkButton } from "#ui/button.tsx";
import { Brand } from "#ui/brand.tsx";
import { accountRoutes } from "#app/urls.ts";
import { AccountCorner } from "./account-corner.tsx";
import { FrozenNotice } from "./frozen-notice.tsx";
import { Navigation } from "./navigation.tsx";
import { PhoneMenu } from "./phone-menu.tsx";

/** The frame of every account page: where one can go, whose account it is, and the page. */
export function AccountShell({ children }: { readonly children: ReactNode }) {
  return (
    <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 rounded-md bg-surface px-4 py-2 text-sm font-medium not-focus:sr-only focus:shadow-float"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-6 overflow-y-auto border-r border-line bg-surface p-4 lg:flex">
        <div className="px-2 pt-2">
          <Brand />
        </div>
        <LinkButton
          to={accountRoutes.order}
          look="primary"
          icon={<Plus aria-hidden className="size-4" />}
        >
          Order servers
        </LinkButton>
        <Navigation />
        <div className="mt-auto">
          <AccountCorner />
        </div>
      </aside>
      <PhoneMenu />
      <div className="min-w-0">
        <OfflineBar />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto flex max-w-[84rem] flex-col gap-6 px-4 pt-6 pb-16 sm:px-8 lg:pt-10"
        >
          <FrozenNotice />
          {children}
        </main>
      </div>
    </div>
  );
}
