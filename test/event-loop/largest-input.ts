import type { TObject, TSchema } from 'typebox';
import type { Operation, Upload } from '../../src/kernel/declare/operation.ts';

interface Described {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  additionalProperties?: TSchema | boolean;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  format?: string;
  pattern?: string;
}

const BODY_BYTES = 1024 * 1024;
const JSON_VALUES = 20_000;
const UNBOUNDED = 1_000;
/** How many fields get one enormous value each. A few suffice, because all are read in the same way. */
const NAMES_MAX = 3;

/** The largest value that the bounds of a schema allow. */
function largestOf(schema: TSchema, bytes: number): unknown {
  const s = schema as Described;
  if (s.const !== undefined) return s.const;
  if (s.enum) return s.enum.at(-1);
  if (s.anyOf) return largestOf(s.anyOf[0]!, bytes);
  switch (s.type) {
    case 'integer':
    case 'number':
      return Math.min(s.maximum ?? 1_000_000, 1_000_000);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return largestText(s, bytes);
    case 'array':
      return largestList(s, bytes);
    case 'object':
      return largestObject(s, bytes);
    default:
      return 'x'.repeat(Math.min(bytes, 100));
  }
}

function largestText({ maxLength, format, pattern }: Described, bytes: number): string {
  if (format === 'date') return '2026-01-31';
  if (pattern?.includes('https?'))
    return `https://${'x'.repeat(Math.min(maxLength ?? 100, bytes) - 20)}.example`;
  return 'x'.repeat(Math.max(1, Math.min(maxLength ?? UNBOUNDED, bytes)));
}

function largestList({ items, maxItems = UNBOUNDED }: Described, bytes: number): unknown[] {
  const one = largestOf(items ?? {}, Math.floor(bytes / maxItems) - 1);
  const fitting = Math.floor(bytes / (JSON.stringify(one).length + 1));
  return Array.from({ length: Math.max(1, Math.min(maxItems, fitting)) }, () => one);
}

function largestObject(s: Described, bytes: number): Record<string, unknown> {
  const properties = Object.entries(s.properties ?? {});
  const each = Math.floor(bytes / Math.max(1, properties.length)) - 40;
  const known = properties.map(([name, property]) => [name, largestOf(property, each)]);
  const [free] = Object.values(s.patternProperties ?? {});
  const more = free
    ? Array.from({ length: Math.min(s.maxProperties ?? UNBOUNDED, 500) }, (_, i) => [
        `key${i}`,
        largestOf(free, 100),
      ])
    : [];
  return Object.fromEntries([...known, ...more]) as Record<string, unknown>;
}

/** Bodies of maximum size, valid and invalid. */
export function largestBodies(schema: TObject, listBody: string | undefined) {
  const names = Object.keys(schema.properties);
  const list = listBody ?? names.find((name) => isList(schema.properties[name]!));
  const bodies: [why: string, json: string][] = [
    ['everything at its largest', JSON.stringify(largestObject(schema, 900_000))],
    ['80,000 unknown fields beside the known', unknownBeside(schema)],
    ...names
      .slice(0, NAMES_MAX)
      .map((name): [string, string] => [
        `${name} of a million digits`,
        `{"${name}":"${'9'.repeat(BODY_BYTES - 100)}"}`,
      ]),
  ];
  if (list !== undefined) {
    bodies.push([`200,000 entries in ${list}`, `{"${list}":[${fields(200_000, () => '{}')}]}`]);
    bodies.push([
      `1,000 faulty entries in ${list}`,
      `{"${list}":[${fields(1_000, invalidEntry)}]}`,
    ]);
  }
  return bodies.map(([why, json]) => ({ why, json: json.slice(0, BODY_BYTES) }));
}

const known = new Map<string, { why: string; json: string }[]>();

/** The largest bodies that are parsed: one value as often as it may be, beside a text that fills the rest. */
export function shapesOf({ bodyValuesMax = JSON_VALUES }: Operation, bytes: number) {
  const key = `${bodyValuesMax} ${bytes}`;
  let shapes = known.get(key);
  if (!shapes) known.set(key, (shapes = SHAPES.map((value) => shape(value, bodyValuesMax, bytes))));
  return shapes;
}

const SHAPES = ['{}', '[]', '0', '""', '"\\""', '"é"', '{"n":0}', '"x"'];

function shape(value: string, values: number, bytes: number) {
  // A list in a list counts twice.
  const most = Math.floor(Math.min(values / 2 - 4, bytes / (2 * value.length + 2)));
  const start = `{"x":[${fields(most, () => value)}],"y":"`;
  const filler = value === '"é"' ? 'é' : 'x';
  const room = bytes - Buffer.byteLength(start) - 2;
  const text = filler.repeat(Math.floor(room / Buffer.byteLength(filler)));
  return { why: `${most} × ${value}`, json: `${start}${text}"}` };
}

/** Bodies of maximum size whose cost is that of parsing, whichever operation they are sent to. */
export function bodiesToParse() {
  return [
    { why: '80,000 unknown fields', json: `{${fields(80_000, (i) => `"u${i}":0`)}}` },
    { why: 'brackets without end', json: '['.repeat(BODY_BYTES) },
    {
      why: 'nested as deep as allowed, many times',
      json: `{"x":[${fields(12_000, () => '['.repeat(30) + ']'.repeat(30))}]}`,
    },
    ...SHAPES.map((value) => ({
      why: `${value} without end`,
      json: `{"x":[${fields(BODY_BYTES / value.length, () => value)}`,
    })),
  ];
}

/** Forms of maximum size. */
export function largestForms(schema: TObject) {
  const [first = 'a'] = Object.keys(schema.properties);
  return [
    { why: 'a form with 150,000 fields', form: fields(150_000, (i) => `u${i}`, '&') },
    {
      why: 'a form with 100,000 list entries',
      form: fields(100_000, (i) => `${first}[${i}]=`, '&'),
    },
    { why: 'a form with a million digits', form: `${first}=${'9'.repeat(BODY_BYTES - 100)}` },
    {
      why: 'a form with a million percent signs',
      form: `${first}=${'%'.repeat(BODY_BYTES - 100)}`,
    },
    { why: 'a form with spaces without end', form: `${first}=${'+'.repeat(BODY_BYTES - 100)}x` },
  ].map(({ why, form }) => ({ why, form: form.slice(0, BODY_BYTES) }));
}

export const BOUNDARY = 'boundary';

const LARGE_FILES = {
  'a file of text': 'x',
  'a document': '%PDF-1.7\n%%EOF',
  'a file of nearly boundaries': `\r\n--${BOUNDARY.slice(0, -1)}`,
};

/** Forms of maximum size with files. */
export function largestUploads({ content, bytesMax }: Upload, schema: TObject, example: object) {
  const head = (name: string, file = '') =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`;
  const file = (text: string, name = 'a.pdf') =>
    `${head(content, `; filename="${name}"`)}${text}\r\n`;
  const end = `--${BOUNDARY}--\r\n`;
  const json = (text: string) => `${head('json')}${text}\r\n`;
  const valid = JSON.stringify({
    ...example,
    ...('kind' in schema.properties && { kind: 'file' }),
    [content]: undefined,
  });
  const others = JSON.stringify({ ...largestObject(schema, 50_000), [content]: undefined });
  return [
    ...Object.entries(LARGE_FILES).map(([why, unit]) => ({
      why,
      form: `${json(valid)}${file(unit.repeat(bytesMax / unit.length))}${end}`,
    })),
    { why: 'two hundred files', form: `${file('x').repeat(200)}${end}` },
    { why: 'values beside a file', form: `${json(others)}${file('x')}${end}` },
    {
      why: 'a megabyte of values beside a file',
      form: `${json(`{"x":[${fields(500_000, () => '0')}]}`)}${file('x')}${end}`,
    },
  ];
}

const QUERY_LENGTH = 15_000;

/** Query strings of the maximum header size. */
export function longestQueries(schema: TObject | undefined) {
  const names = Object.keys(schema?.properties ?? { page: 0 });
  const some = names.slice(0, NAMES_MAX);
  return [
    { why: 'list entries', query: fields(QUERY_LENGTH, (i) => `${names[0] ?? 'a'}[${i}]=`, '&') },
    { why: 'many parameters', query: fields(QUERY_LENGTH, (i) => `u${i}`, '&') },
    { why: 'nesting', query: `a${'[b]'.repeat(QUERY_LENGTH / 3)}=1` },
    ...some.map((name) => ({
      why: `${name} of digits`,
      query: `${name}=${'9'.repeat(QUERY_LENGTH)}`,
    })),
    ...some.map((name) => ({
      why: `${name} of commas`,
      query: `${name}=${'a,'.repeat(QUERY_LENGTH / 2)}`,
    })),
  ].map(({ why, query }) => ({ why, query: query.slice(0, QUERY_LENGTH) }));
}

function fields(count: number, write: (i: number) => string, separator = ','): string {
  return Array.from({ length: count }, (_, i) => write(i)).join(separator);
}

function invalidEntry(i: number): string {
  return JSON.stringify({
    order_id: -i,
    code: 7,
    coupon_id: 'x',
    status: i,
    date: 'x'.repeat(500),
  });
}

function unknownBeside(schema: TObject): string {
  const own = JSON.stringify(largestObject(schema, 100_000)).slice(1, -1);
  return `{${own}${own && ','}${fields(80_000, (i) => `"u${i}":0`)}}`;
}

function isList(schema: TSchema): boolean {
  return (schema as Described).type === 'array';
}
