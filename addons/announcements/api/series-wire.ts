import Type, { type Static } from 'typebox';
import type { FieldErrors } from '../../../src/kernel/declare/field-errors.ts';
import { LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Texts } from '../announcements/announcement-mail.ts';
import type { StepInput } from '../series/save-series.ts';
import type { SeriesRow, StepRow } from '../series/series-rows.ts';
import { seriesStarts } from '../tables.ts';
import {
  checkTextsAt,
  figuresOf,
  FiguresSchema,
  noFigures,
  TextsSchema,
} from './announcement-wire.ts';

const DAYS_MAX = 730;
const STEPS_MAX = 20;

const afterDays = Type.Integer({
  minimum: 0,
  maximum: DAYS_MAX,
  description: 'Days after the affiliate entered the series; 0: at once. Rising from step to step.',
});

const stepsDescription =
  'The emails, in the order of their days. Each is sent to a person once, also if it is changed later.';

export const seriesFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    examples: ['Welcome'],
    description: 'For the team.',
  }),
  starts_on: StringEnum(seriesStarts, {
    description:
      'What makes affiliates enter. accepted: new affiliates; first_order: after the first order; idle: after `idle_days` without an ' +
      'order; step_reached: after reaching a higher step of a reward rule.',
  }),
  idle_days: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: DAYS_MAX,
        description: 'For `idle`: the days without an order, or since joining; 60 by default.',
      }),
    ),
  ),
  ends_on_order: Type.Optional(
    Type.Boolean({ description: 'Whether an order of the affiliate ends it; not by default.' }),
  ),
  steps: Type.Optional(
    Type.Array(
      Type.Object(
        {
          id: Type.Optional(
            Type.Integer({ minimum: 1, description: 'The step that is changed; none: a new one.' }),
          ),
          after_days: afterDays,
          texts: TextsSchema,
        },
        { additionalProperties: false },
      ),
      { maxItems: STEPS_MAX, description: `${stepsDescription} Replaces all steps.` },
    ),
  ),
};

export const stepExample = {
  after_days: 0,
  texts: { en: { subject: 'Welcome', text: 'Hello {{name}},\n\nyour link: {{referral_url}}' } },
};

const count = (description: string) => Type.Integer({ description });

export const SeriesSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the series.' }),
    name: Type.String({ description: 'For the team.' }),
    starts_on: StringEnum(seriesStarts, { description: 'What makes affiliates enter.' }),
    idle_days: Nullable(Type.Integer({ description: 'For `idle`: the days without an order.' })),
    ends_on_order: Type.Boolean({ description: 'Whether an order ends it.' }),
    active: Type.Boolean({ description: 'Whether affiliates enter and emails are sent.' }),
    date_activated: Nullable(LocalTime('When it was switched on the last time.')),
    steps: Type.Array(
      Type.Object({
        id: Type.Integer({
          description: 'The id of the step; `GET /announcements/{id}/receivers` has who got it.',
        }),
        after_days: Type.Integer({ description: 'Days after entering.' }),
        texts: TextsSchema,
        figures: FiguresSchema,
      }),
      { description: stepsDescription },
    ),
    figures: Type.Object(
      {
        waiting: count('Affiliates who wait for a step.'),
        completed: count('Affiliates who are past the last step.'),
        left: count('Affiliates who left earlier.'),
      },
      { description: 'How many are and were in it.' },
    ),
  },
  {
    $id: 'Series',
    examples: [
      {
        id: 1,
        name: 'Welcome',
        starts_on: 'accepted',
        idle_days: null,
        ends_on_order: true,
        active: false,
        date_activated: null,
        steps: [
          {
            id: 5,
            ...stepExample,
            figures: noFigures,
          },
        ],
        figures: { waiting: 0, completed: 0, left: 0 },
      },
    ],
  },
);

export function toSeries(
  row: SeriesRow,
  steps: readonly StepRow[],
  { calendar }: Site,
): Static<typeof SeriesSchema> {
  return {
    id: row.id,
    name: row.name,
    starts_on: row.starts_on,
    idle_days: row.idle_days,
    ends_on_order: row.ends_on_order === 1,
    active: row.active === 1,
    date_activated: calendar.toLocal(row.activated_at),
    steps: steps
      .filter(({ series_id }) => series_id === row.id)
      .map((step) => ({
        id: step.id,
        after_days: step.after_days,
        // They were checked when they were stored.
        texts: JSON.parse(step.texts) as Texts,
        figures: figuresOf(step),
      })),
    figures: {
      waiting: row.entered - row.completed - row.left_early,
      completed: row.completed,
      left: row.left_early,
    },
  };
}

/** Refuses placeholders that the texts do not have, and days that do not rise. */
export function checkSteps({ steps = [] }: { steps?: StepInput[] }, errors: FieldErrors): void {
  for (const [i, { after_days, texts }] of steps.entries()) {
    checkTextsAt(`steps.${i}.texts`, texts, errors);
    const before = steps[i - 1];
    if (before && before.after_days >= after_days) {
      errors.add(`steps.${i}.after_days`, 'must be later than the step before.');
    }
  }
}
