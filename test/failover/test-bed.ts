import type { Db } from "#server/ports/db.ts";
import { startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { openAt } from "#test/open-at.ts";
import { operatorPassword } from "../power-cuts/load-operator.ts";
import { Cluster } from "./cluster.ts";
import type { EtcdDriver } from "./etcd-driver.ts";
import { ObservedService } from "./observed-service.ts";
import type { Programs } from "./programs.ts";

/** The service on a cluster. */
export interface TestBed {
  readonly cluster: Cluster;
  readonly service: ObservedService;
  readonly daemon: Daemon;
  /** Through HAProxy. */
  readonly databaseUrl: string;
  /** Opens the primary without HAProxy. */
  openPrimary(): Promise<Db>;
  stop(): Promise<void>;
}

export async function startTestBed(programs: Programs, driver: EtcdDriver): Promise<TestBed> {
  const cluster = await Cluster.start(programs, driver);
  let daemon: Daemon | undefined;
  try {
    await cluster.untilHealthy();
    const url = await cluster.createDatabase();
    daemon = await startIronleased("preview", {
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_DATABASE_URL: url,
      IRONLEASE_DATABASE_ANSWER: "5s",
      IRONLEASE_AUTH_LIMITS: "off",
      ...noActionLimits,
      IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
    });
    const running = daemon;
    return {
      cluster,
      daemon,
      databaseUrl: url,
      service: new ObservedService(daemon),
      openPrimary: async () => {
        const direct = new URL(url);
        direct.port = String((await cluster.leader()).addresses.postgres);
        return openAt("postgres", direct.href);
      },
      stop: async () => {
        await running.stop();
        await cluster.stop();
      },
    };
  } catch (error) {
    await daemon?.stop();
    await cluster.stop();
    throw error;
  }
}
