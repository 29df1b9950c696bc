import * as read from "./setting-readers.ts";

/** The settings of management controllers. */
export const hardwareSettings = {
  hardwareNetworks: {
    name: "IRONLEASE_HARDWARE_NETWORKS",
    default: undefined,
    meaning:
      "Networks of the [management controllers](../guides/connect-controllers.md), comma-separated, such as `10.20.0.0/16`. No controller anywhere else is contacted. By default, none is.",
    read: read.networks,
  },
  ipmitool: {
    name: "IRONLEASE_IPMITOOL",
    default: "/usr/bin/ipmitool",
    meaning: "Path of the program `ipmitool`, which controllers with the driver `ipmi` need.",
    read: read.text,
  },
  isoMirror: {
    name: "IRONLEASE_ISO_MIRROR",
    default: undefined,
    meaning:
      "URL of the folder with your copies of customers' ISO images, which controllers can read. A run inserts `<actionId>.iso` from it.",
    read: read.folderUrl,
  },
} as const;
