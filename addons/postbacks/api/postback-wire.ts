import Type, { type Static } from 'typebox';
import { invalidParameter } from '../../../src/kernel/call/parameters.ts';
import { Id, LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { macroNames } from '../postback/macros.ts';
import type { PostbackRow } from '../postback/postback-rows.ts';
import { formats, methods, orderChanges, type OrderChangeName } from '../tables.ts';

export const postbackParams = Type.Object({
  id: Id('The affiliate.'),
  postback_id: Id('The postback.'),
});

export const PostbackUrl = Type.String({
  description:
    'An https URL with a public address, at most 2,048 characters. Path and query may have macros: ' +
    `${macroNames.map((name) => `\`{${name}}\``).join(', ')}.`,
  examples: ['https://tracker.example/postback?cid={sub1}&status={status}&payout={commission}'],
});

export const PostbackMethod = StringEnum(methods, {
  description: 'How the URL is called. The format `json` needs POST.',
});

export const PostbackFormat = StringEnum(formats, {
  description:
    'macros: the values are in the URL; json: a POST with a signed body, by the rules of Standard Webhooks.',
});

export const OrderChanges = Type.Array(
  StringEnum(orderChanges, {
    description:
      'created: an order was credited to you; granted: its commission is payable; changed: amount, commission or ' +
      'status changed; reversed: it earns nothing any more.',
  }),
  { minItems: 1, maxItems: 4, uniqueItems: true, description: 'What is sent.' },
);

const postbackFields = {
  id: Type.Integer({ description: 'The id of the postback.' }),
  url: PostbackUrl,
  method: PostbackMethod,
  events: OrderChanges,
  format: PostbackFormat,
  active: Type.Boolean({ description: 'Whether anything is sent.' }),
  failures: Type.Integer({ description: 'Number of consecutive failed attempts.' }),
  failing_since: Nullable(LocalTime('Since when every attempt has failed; null if none did.')),
  last_sent: Nullable(LocalTime('When the last attempt was made, successful or not.')),
  last_error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
  replaying: Type.Boolean({ description: 'Whether a replay is being prepared.' }),
  date_created: LocalTime('When it was created.'),
};

export const postbackExample = {
  id: 3,
  url: 'https://tracker.example/postback?cid={sub1}&status={status}&payout={commission}',
  method: 'GET',
  events: ['created', 'granted', 'reversed'],
  format: 'macros',
  active: true,
  failures: 0,
  failing_since: null,
  last_sent: '2026-02-03T09:30:01',
  last_error: '',
  replaying: false,
  date_created: '2026-01-10T11:12:00',
};

export const PostbackSchema = Type.Object(postbackFields, {
  $id: 'Postback',
  examples: [postbackExample],
});

export const NewPostbackSchema = Type.Object(
  {
    ...postbackFields,
    secret: Nullable(
      Type.String({
        description: 'The signing secret of the format `json`, shown only once; null for macros.',
      }),
    ),
  },
  { $id: 'NewPostback', examples: [{ ...postbackExample, last_sent: null, secret: null }] },
);

export function toPostback(row: PostbackRow, { calendar }: Site): Static<typeof PostbackSchema> {
  return {
    id: row.id,
    url: row.url,
    method: row.method,
    events: JSON.parse(row.events) as OrderChangeName[],
    format: row.format,
    active: row.status === 'active',
    failures: row.failures,
    failing_since: calendar.toLocal(row.failing_since),
    last_sent: calendar.toLocal(row.last_delivery_at),
    last_error: row.last_error,
    replaying: row.replay_after !== null,
    date_created: calendar.toLocal(row.created_at),
  };
}

/** In the order in which they happen, so that the same choice is stored in one way. */
export function storedChanges(events: readonly OrderChangeName[]): string {
  return JSON.stringify(orderChanges.filter((name) => events.includes(name)));
}

export function requireMatch({ method, format }: Pick<PostbackRow, 'method' | 'format'>): void {
  if (format === 'json' && method !== 'POST') {
    throw invalidParameter('method', 'must be POST for the format json.');
  }
}
