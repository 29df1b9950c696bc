import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "../../../ui/button.tsx";
import { ArrowRight } from "../../../ui/icons.ts";
import { deskRoutes, urlOf } from "../../../urls.ts";
import { reads } from "../../reads.ts";
import { useMay } from "../../use-may.ts";

/** The oldest that waits and that this operator may do, so that one goes from item to item. */
export function NextItem() {
  const { mayWork } = useMay();
  const { data } = useQuery(reads.work({ state: "OPEN" }));
  const next = data?.work.find(({ kind }) => mayWork(kind));
  return (
    <div>
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
