import type { ReactNode } from "react";
import { Brand, BrandLinks } from "#ui/brand.tsx";
import { classNames } from "#ui/class-names.ts";
import { ToastOutlet } from "#ui/toast.tsx";
import { OfflineBar } from "#app/offline-bar.tsx";
import { Navigation, type Density } from "./navigation.tsx";
import { PhoneMenu } from "./phone-menu.tsx";
import type { ShellContent } from "./shell-content.ts";

const densities: Readonly<
  Record<Density, Readonly<Record<"grid" | "aside" | "brand" | "main", string>>>
> = {
  comfortable: {
    grid: "lg:grid-cols-[16rem_minmax(0,1fr)]",
    aside: "gap-6 p-4",
    brand: "px-2 pt-2",
    main: "max-w-[84rem] gap-6 pt-6 sm:px-8 lg:pt-10",
  },
  compact: {
    grid: "lg:grid-cols-[14rem_minmax(0,1fr)]",
    aside: "gap-4 p-3",
    brand: "px-2 pt-3",
    main: "max-w-[104rem] gap-5 pt-5 sm:px-6 lg:pt-7",
  },
};

/** The frame around every signed-in page: navigation, account corner and the page itself. */
export function Shell({
  density,
  children,
  ...content
}: ShellContent & { readonly density: Density; readonly children: ReactNode }) {
  const { brandSuffix, items, Action, corner } = content;
  const classes = densities[density];
  return (
    <div className={classNames("[--shell-top:3.5rem] lg:grid lg:[--shell-top:0px]", classes.grid)}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 rounded-md bg-surface px-4 py-2 text-sm font-medium not-focus:sr-only focus:shadow-float"
      >
        Skip to content
      </a>
      <aside
        className={classNames(
          "sticky top-0 hidden h-dvh flex-col overflow-y-auto border-r border-line bg-surface lg:flex",
          classes.aside,
        )}
      >
        <div className={classes.brand}>
          <Brand suffix={brandSuffix} />
        </div>
        {Action !== undefined && <Action />}
        <Navigation items={items} density={density} />
        <div className="mt-auto">{corner}</div>
      </aside>
      <PhoneMenu density={density} {...content} />
      <div className="min-w-0">
        <OfflineBar />
        <main
          id="main"
          tabIndex={-1}
          className={classNames("mx-auto flex flex-col px-4 pb-16", classes.main)}
        >
          {children}
        </main>
        <footer className="px-4 pb-8">
          <BrandLinks />
        </footer>
      </div>
      <ToastOutlet />
    </div>
  );
}
