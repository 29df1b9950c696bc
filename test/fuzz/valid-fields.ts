import type { OperationId } from "@ironlease/contract";
import { totpCode } from "#test/totp.ts";
import type { Actor } from "./actors.ts";
import type { Dice } from "./dice.ts";
import type { World } from "./world.ts";

type Fields = Record<string, unknown>;
/** What the fields are put right by. */
export interface Setting {
  readonly world: World;
  readonly dice: Dice;
  readonly actor: Actor | undefined;
  /** Of what the path names. */
  readonly id: string;
  /** Of the request: no other one has it. */
  readonly number: number;
}
type Adjust = (setting: Setting, fields: Fields) => Fields;

export const newPassword = ({ dice }: Pick<Setting, "dice">) =>
  `${dice.pick(["correct horse ", "Пароль из слов ", "🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑"])}${dice.word(8)}`;

/** A key line that is well-formed, whoever could sign with it. */
export function sshKeyLine(dice: Dice): string {
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const blob = Buffer.concat([part(Buffer.from("ssh-ed25519")), part(dice.bytes(32))]);
  return `ssh-ed25519 ${blob.toString("base64")} ${dice.word(5)}`;
}

function offer({ world, dice }: Setting): { configId: string; regionId: string } {
  const { configurations } = world.catalogue;
  const offers = configurations.flatMap(({ id: configId, offers }) =>
    offers.map(({ regionId }) => ({ configId, regionId })),
  );
  return dice.pick(offers) ?? { configId: "", regionId: "" };
}

const choice: Adjust = (setting, fields) => {
  const { world, dice } = setting;
  const osId = dice.pick(world.catalogue.operatingSystems)?.id;
  return { ...fields, ...offer(setting), osId };
};

const newMachine: Adjust = (setting, { state }) => ({
  assetTag: `FZ ${setting.number} ${setting.dice.word(6)}`,
  ...offer(setting),
  ...(state === undefined ? {} : { state }),
});

const destinations: Readonly<Record<string, string>> = {
  ETH: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  USDT: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
  BTC: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
};

/** By the kind of the work: what it does not take is an error. */
const completion: Adjust = ({ world, dice, id, number }, { note }) => {
  const record = world.known.record(id);
  const own = note === undefined ? {} : { note };
  const { mode } = (record?.["detail"] ?? {}) as { mode?: unknown };
  if (record?.["kind"] === "PROVISION") return { ...own, hostname: `fz${number}.example.com` };
  if (record?.["kind"] === "WITHDRAWAL") return { ...own, transactionId: `0x${dice.word(20)}` };
  if (record?.["kind"] === "DDOS" && mode === "ADVANCED") return { ...own, quoteUsd: "19.5" };
  return own;
};

const failure: Adjust = ({ world, id }, { machineState, ...fields }) => {
  const isDelivery = world.known.record(id)?.["kind"] === "PROVISION";
  return isDelivery && machineState !== undefined ? { ...fields, machineState } : fields;
};

const credentials: Adjust = ({ actor }) => ({
  username: actor?.username,
  password: actor?.password,
});

/** What a schema cannot say about the fields of an operation: what goes with what, and what exists. */
export const adjustments: Partial<Record<OperationId, Adjust>> = {
  register: (setting) => ({
    username: `fz${setting.number}-${setting.dice.word(6)}`,
    password: newPassword(setting),
  }),
  signIn: credentials,
  recover: (setting) => ({
    username: setting.actor?.username,
    recoveryCode: setting.actor?.recoveryCode,
    newPassword: newPassword(setting),
  }),
  changePassword: (setting) => ({
    currentPassword: setting.actor?.password,
    newPassword: newPassword(setting),
  }),
  createApiKey: ({ dice }, fields) => ({
    ...fields,
    expiresAt: dice.pick([null, new Date(Date.now() + dice.int(10 ** 6, 10 ** 10)).toISOString()]),
  }),
  addSshKey: ({ dice }, fields) => ({ ...fields, publicKey: sshKeyLine(dice) }),
  placeOrder: (setting, fields) => ({
    ...choice(setting, fields),
    quantity: setting.dice.chance(0.9) ? 1 : setting.dice.int(1, 4),
    ...(fields["sshPublicKey"] === undefined ? {} : { sshPublicKey: sshKeyLine(setting.dice) }),
  }),
  readQuote: choice,
  requestAction: ({ dice }, { action }) =>
    action === "mount_iso"
      ? { action, isoUrl: `https://iso.example.com/${dice.word(5)}.iso` }
      : { action },
  setReverseDns: ({ dice }) => ({
    ptr: dice.pick(["", null, `${dice.word(5)}.example.com`, "bücher.example"]),
  }),
  requestWithdrawal: ({ dice }, fields) => {
    const asset = String(fields["asset"]);
    const simulated = `sim-${asset.toLowerCase()}-${dice.word(12)}`;
    const destination = dice.chance(0.5) ? (destinations[asset] ?? simulated) : simulated;
    const cents = dice.chance(0.1) ? dice.int(500_000, 600_000) : dice.int(100, 5_000);
    return { asset, destination, usd: dice.chance(0.5) ? cents / 100 : (cents / 100).toFixed(2) };
  },
  signInOperator: (setting) => ({
    ...credentials(setting, {}),
    ...(setting.actor?.totpSecret === "" ? {} : { totp: codeNow(setting) }),
  }),
  changeOperatorPassword: (setting) => ({
    currentPassword: setting.actor?.password,
    newPassword: newPassword(setting),
  }),
  confirmTotp: (setting) => ({ code: codeNow(setting) }),
  completeWork: completion,
  failWork: failure,
  addMachines: (setting, fields) =>
    setting.dice.chance(0.5)
      ? newMachine(setting, fields)
      : { machines: [newMachine(setting, {}), newMachine(setting, fields)] },
  changeMachine: ({ dice, number }, { state }) =>
    dice.chance(0.5) ? { state: state ?? "FREE" } : { assetTag: `FZ* ${number} ${dice.word(4)}` },
  addSubnet: ({ world, dice, number }) => ({
    regionId: dice.pick(world.catalogue.regions)?.id,
    cidr: `11.${(number >> 12) & 255}.${(number >> 4) & 255}.${(number & 15) * 16}/28`,
  }),
  replaceCatalogue: ({ world, number }) => {
    const [first, ...others] = world.catalogue.configurations;
    const renamed = first === undefined ? [] : [{ ...first, name: `Renamed ${number}` }];
    return { ...world.catalogue, configurations: [...renamed, ...others] };
  },
  adjustBalance: ({ dice }, fields) => ({
    ...fields,
    usd: dice.chance(0.8) ? dice.int(1, 500) : `-${dice.int(1, 9)}.25`,
  }),
  simulatePayment: ({ world, dice, number }, { confirmations }) => ({
    address: dice.pick(world.known.addresses) ?? "sim-btc-none",
    amount: `0.${dice.int(1, 99)}`,
    ...(confirmations === undefined ? {} : { confirmations }),
    ...(dice.chance(0.5) ? { transactionId: `fz-${number}` } : {}),
  }),
};

function codeNow({ actor }: Setting): string {
  return totpCode(actor?.totpSecret ?? "", Date.now());
}
