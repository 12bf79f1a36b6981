import Type, { type Static } from 'typebox';
import { LocalTime } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import type { GroupRow } from './group-store.ts';
import { rateSchemas, toRates } from './rates.ts';

export const GroupName = Type.String({
  pattern: '^[^\\s\\u0000-\\u001f\\u007f]([^\\u0000-\\u001f\\u007f]{0,98}[^\\s\\u007f])?$',
  examples: ['Gold'],
  description: 'At most 100 characters on one line, no space at either end.',
});

export const GroupSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    ...rateSchemas,
    date_created: LocalTime('When the group was created.'),
  },
  { $id: 'Group' },
);

export function toGroup(row: GroupRow, site: Site): Static<typeof GroupSchema> {
  return {
    id: row.id,
    name: row.name,
    ...toRates(row, site.currency),
    date_created: site.calendar.toLocal(row.created_at),
  };
}
