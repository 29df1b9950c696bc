import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { Brand } from "#ui/brand.tsx";
import { IconButton } from "#ui/button.tsx";
import { Menu, X } from "#ui/icons.ts";
import { useOverlayRoot } from "#ui/overlay-root.tsx";
import { Navigation, type Density } from "./navigation.tsx";
import type { ShellContent } from "./shell-content.ts";

/** The top bar that replaces the sidebar on narrow screens. */
export function PhoneMenu({
  brandSuffix,
  items,
  Action,
  corner,
  density,
}: ShellContent & { readonly density: Density }) {
  const [isOpen, setIsOpen] = useState(false);
  const container = useOverlayRoot();
  const close = () => setIsOpen(false);
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center justify-between gap-3 border-b border-line bg-surface px-4 lg:hidden">
      <Brand suffix={brandSuffix} />
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
            {Action !== undefined && <Action onGo={close} />}
            <Navigation items={items} density={density} onGo={close} />
            <div className="mt-auto">{corner}</div>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  );
}
