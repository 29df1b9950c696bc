export interface Argument {
  readonly name: string;
  readonly meaning: string;
  readonly optional?: true;
  readonly choices?: readonly string[];
  /** What the program looks up when a shell completes it. See `Program.completes`. */
  readonly completes?: string;
  /** Takes all arguments that are left. Only the last argument can. */
  readonly many?: true;
}

export interface Option {
  readonly meaning: string;
  /** Name of its value. A switch has none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** What the program looks up when a shell completes its value. See `Program.completes`. */
  readonly completes?: string;
  readonly required?: true;
  /** The default value. */
  readonly fallback?: string;
  readonly short?: string;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<Item> = Item extends { choices: readonly (infer Choice)[] } ? Choice : string;

export type ArgumentValues<Items extends readonly Argument[]> = {
  readonly [Item in Items[number] as Item["name"]]: Item extends { many: true }
    ? readonly string[]
    : Item extends { optional: true }
      ? ValueOf<Item> | undefined
      : ValueOf<Item>;
};

type OptionValue<Item> = Item extends { value: string }
  ? Item extends { required: true } | { fallback: string }
    ? ValueOf<Item>
    : ValueOf<Item> | undefined
  : boolean;

export type OptionValues<Items> = { readonly [Name in keyof Items]: OptionValue<Items[Name]> };
