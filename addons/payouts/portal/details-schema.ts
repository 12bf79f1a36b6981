/** What the form needs of a payout method's JSON Schema. */
interface DetailsSchema {
  readonly properties?: Readonly<
    Record<string, { readonly type?: string; readonly description?: string }>
  >;
  readonly required?: readonly string[];
  /** Of these groups of fields, one must be complete. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
}

export interface DetailsField {
  readonly name: string;
  /** For fields that have no words of ours. */
  readonly description: string;
  readonly isNumber: boolean;
  readonly isRequired: boolean;
}

export interface DetailsLayout {
  readonly required: readonly DetailsField[];
  /** Groups to choose one of; empty if there is no choice. */
  readonly choices: readonly (readonly DetailsField[])[];
  readonly optional: readonly DetailsField[];
}

export function layoutOf(details: Readonly<Record<string, unknown>>): DetailsLayout {
  // The contract: the schema of an object.
  const { properties = {}, required = [], anyOf = [] } = details as DetailsSchema;
  const field = (name: string, isRequired: boolean): DetailsField => ({
    name,
    description: properties[name]?.description ?? '',
    isNumber: ['integer', 'number'].includes(properties[name]?.type ?? ''),
    isRequired,
  });
  const chosen = new Set(anyOf.flatMap((group) => group.required));
  const names = Object.keys(properties).filter((name) => !chosen.has(name));
  return {
    required: names.filter((name) => required.includes(name)).map((name) => field(name, true)),
    choices: anyOf.map((group) => group.required.map((name) => field(name, true))),
    optional: names.filter((name) => !required.includes(name)).map((name) => field(name, false)),
  };
}

/** What is sent: filled fields only, numbers as numbers. */
export function detailsOf(
  layout: DetailsLayout,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const fields = [...layout.required, ...layout.choices.flat(), ...layout.optional];
  const filled = fields
    .map(({ name, isNumber }) => [name, (values[name] ?? '').trim(), isNumber] as const)
    .filter(([, text]) => text !== '');
  return Object.fromEntries(
    filled.map(([name, text, isNumber]) => [name, isNumber ? Number(text) : asWritten(name, text)]),
  );
}

/** Codes that banks write in capital letters. */
const capitals = new Set(['iban', 'bic', 'country']);

function asWritten(name: string, text: string): string {
  return capitals.has(name) ? text.toUpperCase() : text;
}
