import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { listed } from "#output/output.ts";

interface Saved {
  readonly name: string;
  readonly current: boolean;
  readonly url: string;
  readonly username: string | null;
  readonly caFile: string | null;
  readonly fingerprint256: string | null;
}

const columns: readonly Column<Saved>[] = [
  { field: "name", heading: "NAME", cell: ({ name }) => name },
  {
    field: "current",
    heading: "",
    cell: ({ current }, style) => (current ? style.green("current") : ""),
  },
  { field: "url", heading: "SERVICE", cell: ({ url }) => url },
  { field: "username", heading: "SIGNED IN AS", cell: ({ username }) => username ?? "-" },
  {
    field: "trust",
    value: ({ caFile, fingerprint256 }) => caFile ?? fingerprint256 ?? "system CAs",
    heading: "TRUSTS",
    cell: ({ caFile, fingerprint256 }) =>
      caFile ?? fingerprint256?.slice(0, 23).concat("…") ?? "system CAs",
  },
];

export const listProfiles = command({
  words: ["profile", "list"],
  summary: "List saved profiles.",
  description: ["Session secrets are never shown. Nothing is sent."],
  columns,
  examples: [
    { line: "ironlease profile list", meaning: "All profiles; the current one is marked." },
  ],
  run: async ({ context }) => {
    const { current, profiles } = context.profiles.read();
    const rows: readonly Saved[] = Object.entries(profiles).map(([name, profile]) => ({
      name,
      current: name === current,
      url: profile.url,
      username: profile.session?.username ?? null,
      caFile: profile.caFile ?? null,
      fingerprint256: profile.fingerprint256 ?? null,
    }));
    return listed(
      { profiles: rows },
      { rows, columns },
      { none: "No profiles yet. To create one: ironlease login" },
    );
  },
});
