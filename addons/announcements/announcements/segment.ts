import Type, { type Static } from 'typebox';
import { Day, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { affiliateStatuses } from '../../../src/modules/affiliates/index.ts';
import { siteLanguage } from '../../../src/modules/store-profile/index.ts';
import { languages } from '../../../src/shared/languages.ts';
import type { SegmentFilter } from './segment-rows.ts';

const names = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, description }),
  );

export const SegmentSchema = Type.Object(
  {
    groups: names('Affiliates in one of the groups of these names.'),
    tags: names('Affiliates with one of these tags.'),
    languages: Type.Optional(
      Type.Array(StringEnum(languages), {
        maxItems: languages.length,
        uniqueItems: true,
        description:
          'Affiliates who read one of these languages: their own, else that of the store.',
      }),
    ),
    status: Type.Optional(
      StringEnum(affiliateStatuses, {
        description: 'Affiliates of this status; active by default.',
      }),
    ),
    joined_from: Type.Optional(Day('Affiliates who joined on this day or later.')),
    earned_from: Type.Optional(Day('Affiliates who have earned commission on this day or later.')),
    no_clicks: Type.Optional(
      Type.Boolean({ description: 'Only affiliates whose links have no clicks.' }),
    ),
  },
  {
    $id: 'Segment',
    additionalProperties: false,
    description:
      'The receivers: affiliates that meet all conditions. Without conditions, every active affiliate.',
    examples: [{ groups: ['Gold'], joined_from: '2026-01-01' }],
  },
);

export type Segment = Static<typeof SegmentSchema>;

/** The conditions as the statements need them. */
export function filterOf({ calendar, settings }: Site, segment: Segment): SegmentFilter {
  const folded = (some: readonly string[] | undefined) =>
    some && some.length > 0 ? JSON.stringify(some.map((name) => name.toLowerCase())) : undefined;
  const { joined_from } = segment;
  // People without a language of their own read that of the store.
  const read = segment.languages?.flatMap((one) =>
    one === settings.get(siteLanguage) ? [one, ''] : [one],
  );
  return {
    groups: folded(segment.groups),
    tags: folded(segment.tags),
    languages: read && read.length > 0 ? JSON.stringify(read) : undefined,
    status: segment.status ?? 'active',
    joined_from: joined_from === undefined ? undefined : calendar.startOfDay(joined_from),
    earned_from: segment.earned_from,
    no_clicks: segment.no_clicks === true ? 1 : undefined,
  };
}
