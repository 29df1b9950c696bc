import type { Machine } from "@ironlease/client/operator";
import { qrPath } from "#ui/qr-path.ts";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { placeOf } from "#desk/shared/machine-state.tsx";

/** One printed label. Its QR code opens the machine's page at the address at which the desk is open now. */
export function Label({
  machine,
}: {
  readonly machine: Pick<
    Machine,
    "id" | "assetTag" | "regionId" | "rack" | "unit" | "serialNumber"
  >;
}) {
  const { id, assetTag, regionId, serialNumber } = machine;
  const { path, size } = qrPath(`${location.origin}${urlOf(deskRoutes.machine, { id })}`);
  return (
    <>
      <svg
        role="img"
        aria-label={`QR code of ${assetTag}`}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
      >
        <path d={path} fill="#000" />
      </svg>
      <div className="label-text">
        <strong>{assetTag}</strong>
        <span>{[regionId, placeOf(machine)].filter((part) => part !== "").join(" · ")}</span>
        {serialNumber !== null && <span>S/N {serialNumber}</span>}
      </div>
    </>
  );
}
