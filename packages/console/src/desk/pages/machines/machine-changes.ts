import type { ChangeMachineRequest, Machine } from "@ironlease/client/operator";

/** The record as text in a form. */
export type Typed = Readonly<
  Record<
    "assetTag" | "rack" | "unit" | "serialNumber" | "switchPort" | "macAddresses" | "notes",
    string
  >
>;

export function typedOf(machine: Machine): Typed {
  return {
    assetTag: machine.assetTag,
    rack: machine.rack ?? "",
    unit: machine.unit === null ? "" : String(machine.unit),
    serialNumber: machine.serialNumber ?? "",
    switchPort: machine.switchPort ?? "",
    macAddresses: machine.macAddresses.join(" "),
    notes: machine.notes ?? "",
  };
}

/** The fields that the form changes. An empty field clears the value. The service checks the values. */
export function changesOf(machine: Machine, typed: Typed): Omit<ChangeMachineRequest, "id"> {
  const before = typedOf(machine);
  const names = Object.keys(before) as readonly (keyof Typed)[];
  const changed = names.filter((name) => typed[name].trim() !== before[name].trim());
  return Object.fromEntries(changed.map((name) => [name, valueOf(name, typed[name].trim())]));
}

function valueOf(name: keyof Typed, text: string): unknown {
  if (name === "macAddresses") return text.split(/[\s,]+/).filter((mac) => mac !== "");
  if (text === "") return null;
  return name === "unit" && /^\d+$/.test(text) ? Number(text) : text;
}
