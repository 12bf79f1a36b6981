import { api } from '../../api.ts';
import { hasWord, inOwnWord, t } from '../../words.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The settings at one moment, with the tag that a change names. */
export interface Version {
  readonly values: Values;
  readonly tag: string;
}

/** What the schema says about one setting. */
export interface SettingSchema {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly group: string;
  readonly default: unknown;
  readonly isFixed: boolean;
  readonly isSecret: boolean;
  readonly type: string;
  readonly choices: readonly string[];
  /** Of the items of an array. */
  readonly itemType: string | undefined;
  readonly itemChoices: readonly string[];
  /** What each name of an object that has any names may be. */
  readonly entry: EntrySchema | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly maxLength: number | undefined;
}

/** The names and values of a setting such as "which status means what". */
export interface EntrySchema {
  readonly names: RegExp;
  readonly max: number;
  /** The possible values; none for a number and for any text. */
  readonly choices: readonly string[];
  readonly isText: boolean;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

export interface SettingForm {
  readonly groups: readonly { readonly name: string; readonly title: string }[];
  readonly settings: readonly SettingSchema[];
}

/** The JSON Schema of one setting, as the service sends it. */
interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly title?: string;
  readonly description: string;
  readonly default: unknown;
  readonly writeOnly?: boolean;
  readonly 'x-group': string;
  readonly 'x-hidden'?: boolean;
  readonly 'x-changeable-by': readonly string[];
}

export async function loadSettings(): Promise<Version> {
  let tag = '';
  const values = await api.settings.get({
    onHeaders: (headers) => (tag = headers.get('etag') ?? ''),
  });
  return { values: { ...values }, tag };
}

/** The settings that this role may change, and their groups. */
export async function loadForm(role: string): Promise<SettingForm> {
  const schema = await api.settings.schema();
  const fixed = new Set(schema['x-fixed']);
  // The contract describes what every property has; the rest is its JSON Schema.
  const properties = Object.entries(schema.properties as unknown as Record<string, JsonSchema>);
  const settings = properties
    .filter(([, property]) => property['x-changeable-by'].includes(role) && !property['x-hidden'])
    .map(([key, property]) => ({
      ...toSetting(key, property),
      isFixed: fixed.has(key),
      itemChoices: property.items?.enum ?? schema['x-choices'][key] ?? [],
    }));
  // The name of the store comes before what is about its mails.
  settings.sort((a, b) => Number(isOfStore(b)) - Number(isOfStore(a)));
  const used = new Set(settings.map(({ group }) => group));
  const groups = schema['x-groups']
    .filter(({ name }) => used.has(name))
    .map(({ name, title }) => ({ name, title: translated(`group.${name}`, title) }));
  return { settings, groups };
}

function entryOf({ patternProperties, maxProperties }: JsonSchema): EntrySchema | undefined {
  const [[names, value] = []] = Object.entries(patternProperties ?? {});
  if (names === undefined || !value) return undefined;
  return {
    names: new RegExp(names),
    max: maxProperties ?? Infinity,
    choices: value.enum ?? [],
    isText: value.type === 'string' && !value.enum,
    maxLength: value.maxLength,
    minimum: value.minimum,
    maximum: value.maximum,
  };
}

const isOfStore = ({ key }: SettingSchema) => key.startsWith('site.');

function toSetting(
  key: string,
  property: JsonSchema,
): Omit<SettingSchema, 'isFixed' | 'itemChoices'> {
  const { items } = property;
  return {
    key,
    title: translated(`${key}.title`, property.title ?? key),
    help: translated(`${key}.help`, property.description),
    group: property['x-group'],
    default: property.default,
    isSecret: property.writeOnly ?? false,
    type: property.type ?? 'string',
    choices: property.enum ?? [],
    itemType: items?.type,
    entry: entryOf(property),
    minimum: property.minimum,
    maximum: property.maximum,
    maxLength: property.maxLength,
  };
}

/** The API says in English what a setting does; other languages have words of their own. */
function translated(name: string, english: string): string {
  const key = `console-setting-names.${name}`;
  return hasWord(key) ? t(key) : inOwnWord(english);
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A value as people read it. */
export function wordsOf(value: unknown): string {
  if (value === true) return t('console-settings.on');
  if (value === false) return t('console-settings.off');
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.length === 0 ? t('console-settings.empty') : value.join(', ');
  }
  if (value === '' || value === undefined || value === null) return t('console-settings.empty');
  if (isFlat(value)) {
    const lines = Object.entries(value).map(([name, one]) => `${name}: ${one}`);
    return lines.length === 0 ? t('console-settings.empty') : lines.join(', ');
  }
  // The other values of settings are numbers, texts and lists of objects.
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isFlat(value: unknown): value is Readonly<Record<string, string | number>> {
  return (
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value!).every((one) => typeof one !== 'object')
  );
}
