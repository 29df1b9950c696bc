import type { Operation } from "@ironlease/contract";
import { docsSite } from "@ironlease/reference";
import { ownBrand, type Brand } from "#kernel/brand.ts";
import { ok } from "#kernel/result.ts";
import { brandAddresses } from "./brand-pages.ts";
import { pagePolicy } from "./answers/security-headers.ts";
import type { AnyPage } from "./pages.ts";

/**
 * Not immutable, although the URLs contain a hash: during a rolling upgrade, an old instance may answer
 * a new URL with its own file, and that wrong answer must expire.
 */
const fileCaching = "public, max-age=86400";

/** The API reference of one listener at `/docs`, with the files it loads. */
export function docsPages(
  version: string,
  listener: Operation["listener"],
  described: Readonly<Record<string, Operation>>,
  brand: Brand = ownBrand,
  fonts?: string,
): readonly AnyPage[] {
  const site = docsSite(version, listener, described, {
    name: brand.name,
    fonts,
    ...brandAddresses(brand),
  });
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy,
  };
  return [
    {
      method: "GET",
      path: "/docs",
      answer: async (origin) => ok({ headers, body: site.page(origin) }),
    },
    ...site.files.map(
      ({ path, type, body }) =>
        ({
          method: "GET",
          path,
          headers: { "content-type": type, "cache-control": fileCaching },
          body,
        }) as const,
    ),
  ];
}
