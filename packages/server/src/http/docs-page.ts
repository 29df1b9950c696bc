import type { Page } from "./pages.ts";

export function docsPages(_version: string): readonly Page[] {
  return [];
}
