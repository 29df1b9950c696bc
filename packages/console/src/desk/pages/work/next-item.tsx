import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { LinkButton } from "#ui/button.tsx";
import { ArrowRight } from "#ui/icons.ts";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { useMay } from "#desk/data/use-permissions.ts";

/** The oldest that waits and that this operator may do, so that one goes from item to item. */
export function NextItem() {
  const { mayWork } = useMay();
  const { data } = useQuery(reads.work({ state: "OPEN" }));
  const next = data?.work.find(({ kind }) => mayWork(kind));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that ended the item is gone, and the focus with it: here is how one goes on.
    if (document.activeElement === document.body) place.current?.querySelector("a")?.focus();
  }, []);
  return (
    <div ref={place}>
      {next === undefined ? (
        <LinkButton size="small" to={deskRoutes.work}>
          Back to the queue
        </LinkButton>
      ) : (
        <LinkButton
          size="small"
          look="primary"
          to={urlOf(deskRoutes.workItem, { id: next.id })}
          icon={<ArrowRight aria-hidden className="size-4" />}
        >
          Next open item
        </LinkButton>
      )}
    </div>
  );
}
