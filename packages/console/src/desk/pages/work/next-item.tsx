import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { LinkButton } from "#ui/button.tsx";
import { ArrowRight } from "#ui/icons.ts";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";

/** Links to the oldest open item that the operator may work on. */
export function NextItem() {
  const { canWork } = usePermissions();
  const { data } = useQuery(reads.work({ state: "OPEN" }));
  const next = data?.work.find(({ kind }) => canWork(kind));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that ended the item is gone, so move the focus here.
    if (document.activeElement === document.body) place.current?.querySelector("a")?.focus();
  }, []);
  return (
    <div ref={place}>
      {next === undefined ? (
        <LinkButton size="small" to={deskRoutes.work}>
          Back to queue
        </LinkButton>
      ) : (
        <LinkButton
          size="small"
          variant="primary"
          to={urlOf(deskRoutes.workItem, { id: next.id })}
          icon={<ArrowRight aria-hidden className="size-4" />}
        >
          Next open item
        </LinkButton>
      )}
    </div>
  );
}
