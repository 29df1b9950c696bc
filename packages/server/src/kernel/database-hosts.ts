/**
 * One URL for each host that a PostgreSQL URL names, in order, as in `postgres://user@one:5432,two:5432/db`. Throws
 * the end of a sentence that starts with the setting's name.
 */
export function databaseHosts(databaseUrl: string): readonly string[] {
  const { start, hosts, rest } = partsOf(databaseUrl);
  const urls = hosts.split(",").map((host) => `${start}${host}${rest}`);
  const parsed = urls.map((url) => URL.parse(url));
  const [first] = parsed;
  if (start === "" || first === null || first === undefined || parsed.includes(null)) {
    throw new Error("must be a postgres:// address, or unset for SQLite");
  }
  const { searchParams } = first;
  if (searchParams.get("host")?.includes(",") === true) {
    throw new Error("must name several hosts before the database, as in postgres://one,two/db");
  }
  if (urls.length > 1 && (searchParams.has("host") || hosts.split(",").includes(""))) {
    throw new Error("must name each of its hosts once, as in postgres://one,two/db");
  }
  const wanted = searchParams.get("target_session_attrs");
  if (urls.length > 1 ? wanted !== "read-write" : ![null, "any", "read-write"].includes(wanted)) {
    throw new Error("must have target_session_attrs=read-write, because every request may write");
  }
  return urls;
}

/** Splits a URL that the standard parser refuses, because its authority has commas. */
function partsOf(url: string) {
  const scheme = ["postgres://", "postgresql://"].find((prefix) => url.startsWith(prefix));
  if (scheme === undefined) return { start: "", hosts: "", rest: "" };
  const after = url.slice(scheme.length);
  const end = after.search(/[/?#]/);
  const authority = end === -1 ? after : after.slice(0, end);
  const at = authority.lastIndexOf("@") + 1;
  return {
    start: scheme + authority.slice(0, at),
    hosts: authority.slice(at),
    rest: after.slice(authority.length),
  };
}
