import Type, { type Static } from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import { InputReader } from '../../kernel/call/parameters.ts';
import { ApiError, itemErrors, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { errorSchemas, Id, Nullable, ReadLater } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { instantError, instantOf } from '../../shared/instants.ts';
import { keepOrigin, type ClickOrigin } from './click-origin.ts';
import { findClickable, insertClick } from './click-rows.ts';
import {
  CAMPAIGN_LENGTH_MAX,
  CAMPAIGN_PATTERN,
  toClick,
  VisitorId,
  type NewClick,
} from './click.ts';
import {
  knownSource,
  looksLikeEmail,
  sourceOf,
  SUB_LENGTH_MAX,
  SUB_PATTERN,
  type Source,
} from './source.ts';
import { perSub, subNames } from './sub-names.ts';

const CLICKS_MAX = 1_000;

export const invalidCoupon = defineError(
  'svc_api_invalid_coupon',
  400,
  'No active coupon matches.',
);

/** A visitor's browser wrote it: a text that is no URL counts as none, so that the click is not lost. */
const BrowserUrl = (description: string) =>
  Type.String({ maxLength: 8_000, default: '', description });

const clickFields = {
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 50, description: 'The coupon code, case-insensitive.' }),
  ),
  coupon_id: Type.Optional(Id('The coupon; takes precedence over `code`.')),
  campaign: Type.String({
    maxLength: CAMPAIGN_LENGTH_MAX,
    pattern: CAMPAIGN_PATTERN,
    default: '',
    description: 'The name the affiliate gave the link, without control characters.',
  }),
  visitor: Type.Optional(
    VisitorId(
      'Any id by which the store recognises the visitor; stored only as a keyed hash. An order with ' +
        'the same `visitor` is credited to their last click.',
    ),
  ),
  creative: Type.Optional(
    Id('The creative that was clicked, of the add-on _creatives_. An unknown one is ignored.'),
  ),
  ...perSub((name) =>
    Type.String({
      maxLength: SUB_LENGTH_MAX,
      pattern: SUB_PATTERN,
      default: '',
      description: `The affiliate's own id \`${name}\` of the place of the link; no email address.`,
    }),
  ),
  date: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'ISO 8601 date and time, with an offset or Z; without one it is local time of the site. ' +
        'Default: now.',
    }),
  ),
  referrer: BrowserUrl(
    'The URL of the page with the link (`document.referrer`). The add-on _review_ stores its host for 90 days; ' +
      'nothing else is stored of it. A text that is no URL is ignored.',
  ),
  landing: BrowserUrl(
    'The URL at which the visitor arrived. The add-on _review_ stores the names of known ad parameters in it for ' +
      '90 days; nothing else is stored of it. A text that is no URL is ignored.',
  ),
};

const OneClick = Type.Object(clickFields, {
  $id: 'NewClick',
  examples: [{ code: 'MAYA10', campaign: 'spring', visitor: 'visitor-8c1f' }],
});
const reader = new InputReader({ body: OneClick }, { closed: true });

export const recordClicks = operation({
  method: 'POST',
  namespace: 'store',
  path: '/clicks',
  summary: 'Record clicks',
  description:
    'Records one click or a list of up to 1,000. A single invalid click is answered with 400; in a ' +
    'list, invalid clicks are refused and the others recorded.',
  access: 'admin',
  scope: 'write',
  body: Type.Object(
    {
      ...clickFields,
      // Items are validated one by one, so that only the invalid ones are refused.
      clicks: Type.Optional(
        Type.Array(ReadLater(OneClick), {
          minItems: 1,
          maxItems: CLICKS_MAX,
          description: 'Several clicks. The body may also be the list itself.',
        }),
      ),
    },
    { $id: 'RecordClicks', examples: [{ code: 'SAVE10', campaign: 'spring' }] },
  ),
  listBody: 'clicks',
  example: { body: { code: 'MAYA10', campaign: 'spring', visitor: 'visitor-8c1f' } },
  status: 201,
  response: Type.Object(
    {
      accepted: Type.Integer({ description: 'Number of clicks recorded.' }),
      ids: Type.Array(Nullable(Type.Integer()), {
        description:
          'The id of each click, in the order of the request; null for a refused one. Send it with ' +
          'the order as `click_id`.',
      }),
      refused: Type.Array(
        Type.Object(
          {
            index: Type.Integer({ description: 'Position in the list, starting at 0.' }),
            code: Type.String({ description: 'The error code.' }),
            message: Type.String({ description: 'The reason, as a sentence.' }),
            ...errorSchemas,
          },
          { $id: 'RefusedClick' },
        ),
      ),
    },
    { $id: 'RecordedClicks', examples: [{ accepted: 1, ids: [4711], refused: [] }] },
  ),
  errors: [generalErrors.missingParam, invalidCoupon],
  check(input, errors, site) {
    // The items of a list are checked by `preparedOrRefused`.
    if (input.clicks === undefined && !('clicks' in errors.invalid)) {
      checkClick(input, errors, site);
    }
  },
  async handle({ db, site, nowMs }, { clicks, ...one }) {
    if (clicks === undefined) {
      const id = await record(db, site, await prepared(db, site, one, nowMs));
      return { accepted: 1, ids: [id], refused: [] };
    }
    const ids: (number | null)[] = [];
    const refused: ReturnType<typeof toRefused>[] = [];
    for (const [index, raw] of clicks.entries()) {
      const click = await preparedOrRefused(db, site, raw, nowMs);
      if (click instanceof ApiError) refused.push(toRefused(index, click));
      ids.push(click instanceof ApiError ? null : await record(db, site, click));
    }
    return { accepted: clicks.length - refused.length, ids, refused };
  },
});

interface PreparedClick {
  readonly click: NewClick;
  readonly origin: ClickOrigin;
  readonly source: Source | undefined;
}

async function record(db: Transaction, site: Site, one: PreparedClick): Promise<number> {
  const { click, origin, source } = one;
  const id = await insertClick(db, click, source);
  keepOrigin(db, site, { id, couponId: click.coupon_id }, origin);
  return id;
}

async function preparedOrRefused(
  db: Reader,
  site: Site,
  raw: unknown,
  nowMs: number,
): Promise<PreparedClick | ApiError> {
  try {
    const given = { params: {}, query: {}, body: raw, bodyIsText: false };
    const one = reader.read(given, (input, errors) => checkClick(input, errors, site));
    // The reader has validated the click with the schema `OneClick`.
    return await prepared(db, site, one as Static<typeof OneClick>, nowMs);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const EMAIL_REASON = 'A sub-id must not look like an email address.';

/** Checks what the schema of a click cannot express. */
function checkClick(
  click: Partial<Static<typeof OneClick>>,
  errors: FieldErrors,
  site: Site,
): void {
  const { code, coupon_id, date } = click;
  const isNamed = [code, coupon_id].some((given) => given !== undefined);
  const isInvalid = ['code', 'coupon_id'].some((name) => name in errors.invalid);
  if (!isNamed && !isInvalid) errors.missing.push('code');
  const reason = date === undefined ? undefined : instantError(date, site.calendar);
  if (reason !== undefined) errors.invalid['date'] = reason;
  for (const name of subNames) {
    if (looksLikeEmail(click[name] ?? '')) errors.invalid[name] = EMAIL_REASON;
  }
}

/** Throws for an unknown coupon, before anything of this click is inserted. */
async function prepared(
  db: Reader,
  site: Site,
  one: Static<typeof OneClick>,
  nowMs: number,
): Promise<PreparedClick> {
  const click = toClick(site, {
    couponId: await requireClickable(db, one),
    campaign: one.campaign,
    visitor: one.visitor,
    atMs: one.date === undefined ? nowMs : instantOf(one.date, site.calendar),
  });
  const search = URL.parse(one.landing)?.search.slice(1) ?? '';
  const source = await knownSource(db, site, sourceOf(one));
  return { click, origin: { referrer: one.referrer, search }, source };
}

async function requireClickable(db: Reader, one: Static<typeof OneClick>): Promise<number> {
  const { coupon_id: id, code } = one;
  const coupon = await findClickable(db, { id, code });
  if (coupon) return coupon.id;
  const name = id === undefined ? 'code' : 'coupon_id';
  throw new ApiError(invalidCoupon, { data: { params: { [name]: invalidCoupon.message } } });
}

function toRefused(index: number, error: ApiError) {
  const { definition, message } = error;
  return { index, code: definition.code, message, ...itemErrors(error) };
}
