import type { TSchema } from 'typebox';

interface Described {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  minimum?: number;
  pattern?: string;
}

/** Values that read well under the names that events use. */
const SAMPLES: Record<string, unknown> = {
  amount: 12.5,
  total: 125,
  commission: 12.5,
  order_id: 1042,
  coupon_code: 'MAYA10',
  currency: 'USD',
  method_type: 'banktransfer',
  status: 'pending',
  note: 'Order 1042',
  date: '2026-01-31T09:30:00',
  date_paid: '2026-01-31T09:30:00',
};

/** Something a schema describes, for people to look at: every property is there. */
export function sampleOf(schema: TSchema, name = ''): unknown {
  const s = schema as Described;
  if (s.examples) return s.examples[0];
  if (s.const !== undefined) return s.const;
  if (s.enum) return s.enum[0];
  if (s.anyOf) return sampleOf(s.anyOf[0]!, name);
  switch (s.type) {
    case 'integer':
    case 'number':
      return typeof SAMPLES[name] === 'number' ? SAMPLES[name] : Math.max(s.minimum ?? 0, 7);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return sampleText(s, name);
    case 'array':
      return s.items ? [sampleOf(s.items, name)] : [];
    default:
      return Object.fromEntries(
        Object.entries(s.properties ?? {}).map(([key, value]) => [key, sampleOf(value, key)]),
      );
  }
}

function sampleText({ pattern }: Described, name: string): string {
  // The only pattern that events use is that of an instant.
  const fallback = pattern === undefined ? 'text' : '2026-01-31T09:30:00';
  return typeof SAMPLES[name] === 'string' ? SAMPLES[name] : fallback;
}
