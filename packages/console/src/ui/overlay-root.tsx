import { createContext, useContext, useState, type ReactNode } from "react";

const OverlayContext = createContext<HTMLElement | null>(null);

/** Renders dialogs and menus inside the session gate, so that they hide with the page when a session ends. */
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
