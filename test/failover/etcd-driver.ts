export const etcdDrivers = ["etcd", "etcd3"] as const;
export type EtcdDriver = (typeof etcdDrivers)[number];

/** The first version whose etcd3 driver compares the leader key before it writes. */
const firstSafe = [3, 0, 3];

/**
 * The driver to use with a version of Patroni. Throws if it is known to lose the leader key: then two servers accept
 * writes at once.
 */
export function chooseDriver(version: string, wanted?: EtcdDriver): EtcdDriver {
  const isSafe = !isOlder(version.split(".").map(Number));
  if (wanted === "etcd3" && !isSafe) {
    throw new Error(
      `Patroni ${version} loses acknowledged writes with the etcd3 driver: it does not compare the leader key. Use ${firstSafe.join(".")} or later, or the etcd driver.`,
    );
  }
  return wanted ?? (isSafe ? "etcd3" : "etcd");
}

function isOlder(version: readonly number[]): boolean {
  for (const [index, wanted] of firstSafe.entries()) {
    const difference = (version[index] ?? 0) - wanted;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
