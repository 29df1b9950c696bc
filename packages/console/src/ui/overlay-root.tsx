import { createContext, useContext, useState, type ReactNode } from "react";

const OverlayContext = createContext<HTMLElement | null>(null);

/**
 * Dialogs and menus are put at the end of this part of the page and not of the whole one, so that
 * they vanish and come back with it when somebody has to sign in again in between.
 */
export function OverlayRoot({ children }: { readonly children: ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  return (
    <OverlayContext value={element}>
      {children}
      <div ref={setElement} />
    </OverlayContext>
  );
}

export function useOverlayRoot(): HTMLElement | null {
  return useContext(OverlayContext);
}
