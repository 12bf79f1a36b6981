import Type from 'typebox';
import { bounds, effectiveRange, rangeParameters } from '../../../kernel/call/date-range.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import { conversionRate, listSourceClicks, nameCreatives } from '../../clicks/index.ts';
import { requireOwnAffiliate } from '../own-affiliate.ts';

const SOURCES_MAX = 100;

export const listSources = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/sources',
  summary: 'Clicks and conversions of an affiliate by sub-id or creative',
  description:
    'For admins and the affiliate itself. The 100 with most clicks. Of each day and coupon 200 first sub-ids are ' +
    'counted by name, all others as `(other)`. A conversion counts on the day of its click. ' +
    '`GET /affiliates/{id}/orders` has all five sub-ids of each order.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({
    by: StringEnum(['sub1', 'creative'], {
      default: 'sub1',
      description: 'By the first sub-id of the links, or by creative.',
    }),
    coupon: Type.Optional(Id('Clicks of this coupon only.')),
    ...rangeParameters,
  }),
  response: Type.Array(
    Type.Object(
      {
        creative: Nullable(Type.Integer({ description: 'The number of the creative.' })),
        name: Type.String({ description: 'The sub-id, or the name of the creative.' }),
        clicks: Type.Integer({ description: 'Number of clicks.' }),
        conversions: Type.Integer({ description: 'Number of clicks that led to a referral.' }),
        conversion_rate: Type.Number({
          description: 'Percentage of clicks that led to a referral, with two decimals.',
        }),
      },
      {
        $id: 'SourceClicks',
        examples: [
          { creative: null, name: 'newsletter', clicks: 120, conversions: 6, conversion_rate: 5 },
        ],
      },
    ),
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, by, coupon, ...input }) {
    await requireOwnAffiliate(db, caller, id);
    const rows = await listSourceClicks(db, {
      user_id: id,
      coupon_id: coupon,
      kind: by,
      ...bounds(effectiveRange(input, site, nowMs)),
      limit: SOURCES_MAX,
    });
    const ids = by === 'creative' ? rows.map(({ name }) => Number(name)) : [];
    const names = await nameCreatives(db, site, ids);
    return rows.map(({ name, clicks, conversions }, i) => ({
      creative: ids[i] ?? null,
      name: names.get(ids[i] ?? 0) ?? name,
      clicks,
      conversions,
      conversion_rate: conversionRate({ clicks, conversions }),
    }));
  },
});
