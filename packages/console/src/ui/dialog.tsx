import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { X } from "./icons.ts";
import { useRef, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { useOverlayRoot } from "./overlay-root.tsx";

/** A modal dialog. A click outside does not close it, because that would lose what was typed. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  canClose = true,
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** False while closing would lose a value that is shown only once. */
  readonly canClose?: boolean;
  readonly children: ReactNode;
}) {
  const container = useOverlayRoot();
  const popup = useRef<HTMLDivElement>(null);
  return (
    <BaseDialog.Root
      open={isOpen}
      disablePointerDismissal
      onOpenChange={(open) => {
        if (!open && canClose) onClose();
      }}
    >
      <BaseDialog.Portal container={container}>
        <BaseDialog.Backdrop className="fixed inset-0 z-30 bg-veil" />
        <BaseDialog.Viewport className="fixed inset-0 z-40 grid grid-cols-1 items-end overflow-y-auto sm:place-items-center sm:p-6">
          <BaseDialog.Popup
            ref={popup}
            initialFocus={() => firstControl(popup.current)}
            className="flex w-full max-w-xl flex-col gap-5 rounded-t-lg border border-line bg-surface p-5 shadow-float outline-none sm:rounded-lg sm:p-6"
          >
            <header className="flex items-start justify-between gap-4">
              <div className="flex min-w-0 flex-col gap-1">
                <BaseDialog.Title className="text-lg font-semibold tracking-tight wrap-anywhere">
                  {title}
                </BaseDialog.Title>
                {description !== undefined && (
                  <BaseDialog.Description
                    render={<div />}
                    className="flex flex-col gap-2 text-sm text-quiet"
                  >
                    {description}
                  </BaseDialog.Description>
                )}
              </div>
              {canClose && (
                <IconButton
                  label="Close"
                  // In line with the title and the edge, which it is taller and wider than.
                  className="-mt-1 -mr-2"
                  icon={<X aria-hidden className="size-4" />}
                  onClick={onClose}
                />
              )}
            </header>
            {children}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** A box to check or a choice not made is not where typing starts. */
const field =
  "input:enabled:not([type=checkbox]):not([type=radio]:not(:checked)), select:enabled, textarea:enabled";

/** The first field, or else the first button after the one that closes. On a touch screen a field would open the keyboard. */
function firstControl(popup: HTMLElement | null): HTMLElement | null {
  if (popup === null || matchMedia("(pointer: coarse)").matches) return popup;
  return (
    popup.querySelector<HTMLElement>(field) ??
    popup.querySelector(":scope > :not(header) button:enabled")
  );
}

/** The buttons of a dialog. The primary button is last, and on phones first. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end">
      {children}
    </div>
  );
}
