import type { ComponentType, ReactNode } from "react";
import type { NavigationItem } from "./navigation.tsx";

/** What differs between the two apps' shells. */
export interface ShellContent {
  /** Which app it is, shown beside the brand name. */
  readonly brandSuffix?: string;
  readonly items: readonly NavigationItem[];
  /** The main action, such as a link to the order form; `onGo` closes the phone menu. */
  readonly Action?: ComponentType<{ readonly onGo?: (() => void) | undefined }>;
  /** Who is signed in, with the button to sign out. */
  readonly corner: ReactNode;
}
