import Type, { type Static } from 'typebox';
import { LocalTime } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { discountSchemas, toDiscount } from './discount.ts';
import type { GroupRow } from './group-rows.ts';
import { rateSchemas, toRates } from './rates.ts';

export const GroupName = Type.String({
  pattern: '^[^\\s\\u0000-\\u001f\\u007f]([^\\u0000-\\u001f\\u007f]{0,98}[^\\s\\u007f])?$',
  examples: ['Gold'],
  description: 'At most 100 characters on one line, no space at either end.',
});

export const GroupSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the group.' }),
    name: Type.String({ description: 'Unique among the groups.' }),
    ...rateSchemas,
    ...discountSchemas,
    date_created: LocalTime('When the group was created.'),
  },
  {
    $id: 'Group',
    examples: [
      {
        id: 2,
        name: 'Gold',
        percent_override: 12.5,
        fixed_per_order: null,
        fixed_per_product: null,
        discount: null,
        date_created: '2026-01-10T11:02:37',
      },
    ],
  },
);

export function toGroup(row: GroupRow, site: Site): Static<typeof GroupSchema> {
  return {
    id: row.id,
    name: row.name,
    ...toRates(row, site.currency),
    discount: toDiscount(row.discount),
    date_created: site.calendar.toLocal(row.created_at),
  };
}
