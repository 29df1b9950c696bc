import { Dialog } from "@base-ui/react/dialog";
import { Menu, Plus, X } from "#ui/icons.ts";
import { useState } from "react";
import { Brand } from "#ui/brand.tsx";
import { IconButton, LinkButton } from "#ui/button.tsx";
import { useOverlayRoot } from "#ui/overlay-root.tsx";
import { accountRoutes } from "#app/urls.ts";
import { AccountCorner } from "./account-corner.tsx";
import { Navigation } from "./navigation.tsx";

/** The bar at the top where there is no room for one at the side. */
export function PhoneMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const container = useOverlayRoot();
  const close = () => setIsOpen(false);
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center justify-between gap-3 border-b border-line bg-surface px-4 lg:hidden">
      <Brand />
      <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
        <Dialog.Trigger
          render={<IconButton label="Menu" icon={<Menu aria-hidden className="size-5" />} />}
        />
        <Dialog.Portal container={container}>
          <Dialog.Backdrop className="fixed inset-0 z-30 bg-veil" />
          <Dialog.Popup className="fixed inset-y-0 right-0 z-40 flex w-80 max-w-[90vw] flex-col gap-6 overflow-y-auto bg-surface p-4 shadow-float outline-none">
            <div className="flex items-center justify-between">
              <Dialog.Title className="px-2 text-lg font-semibold">Menu</Dialog.Title>
              <IconButton
                label="Close"
                icon={<X aria-hidden className="size-5" />}
                onClick={close}
              />
            </div>
            <Navigation onGo={close} />
            <LinkButton
              to={accountRoutes.order}
              look="primary"
              icon={<Plus aria-hidden className="size-4" />}
              onGo={close}
            >
              Order servers
            </LinkButton>
            <div className="mt-auto">
              <AccountCorner />
            </div>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  );
}
