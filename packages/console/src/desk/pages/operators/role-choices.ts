import type { Role } from "#desk/data/roles.ts";

export const roleChoices: readonly { value: Role; label: string; detail: string }[] = [
  {
    value: "support",
    label: "Support",
    detail: "Reads everything, delivers servers and carries out requests",
  },
  { value: "finance", label: "Finance", detail: "Also moves money and sets rates" },
  {
    value: "admin",
    label: "Admin",
    detail: "Can do everything, such as change the catalogue and the operators",
  },
];
