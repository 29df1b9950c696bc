/** Refuses credentials in the address without quoting it, because addresses end up in logs. */
export function checkRpcUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("rpcUrl must be an http or https address.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error("rpcUrl must not contain credentials. Put them in a file.");
  }
  return url.href;
}
