import Type, { type Static } from 'typebox';
import { listed, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import {
  Id,
  LocalTime,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { memberList, type MemberRow } from '../series/member-rows.ts';
import { nextStep } from '../series/membership.ts';
import { requireSeries } from '../series/save-series.ts';
import { listSteps, type StepRow } from '../series/series-rows.ts';
import { leaveReasons, memberStates } from '../tables.ts';

const SeriesMemberSchema = Type.Object(
  {
    user_id: Type.Integer({ description: 'The affiliate.' }),
    name: Type.String({ description: 'Its name.' }),
    email: Type.String({ description: 'Its address.' }),
    state: StringEnum(memberStates, {
      description: 'waiting: for a step; completed: past the last one; left: earlier.',
    }),
    reason: Nullable(StringEnum(leaveReasons, { description: 'Why it left earlier.' })),
    next_step: Nullable(Type.Integer({ description: 'The step that it gets next.' })),
    date_next: Nullable(LocalTime('When that is due.')),
    date_entered: LocalTime('When it entered.'),
    date_ended: Nullable(LocalTime('When it got the last step, or left.')),
  },
  {
    $id: 'SeriesMember',
    examples: [
      {
        user_id: 7,
        name: 'Maya Ortiz',
        email: 'maya@example.com',
        state: 'waiting',
        reason: null,
        next_step: 6,
        date_next: '2026-11-23T12:12:00',
        date_entered: '2026-11-20T12:12:00',
        date_ended: null,
      },
    ],
  },
);

function toMember(
  row: MemberRow & { display_name: string; email: string },
  steps: readonly StepRow[],
  { calendar }: Site,
): Static<typeof SeriesMemberSchema> {
  const isWaiting = row.state === 'waiting';
  return {
    user_id: row.user_id,
    name: row.display_name,
    email: row.email,
    state: row.state,
    reason: row.reason === '' ? null : row.reason,
    next_step: (isWaiting && nextStep(row, steps)?.id) || null,
    date_next: calendar.toLocal(row.due_at),
    date_entered: calendar.toLocal(row.entered_at),
    date_ended: calendar.toLocal(row.ended_at),
  };
}

export const listSeriesMembers = operation({
  method: 'GET',
  namespace: 'store',
  path: '/series/{id}/members',
  summary: 'List the members of a series',
  description: 'Latest first.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The series.') }),
  query: Type.Object({
    state: Type.Optional(StringEnum(memberStates, { description: 'Only these.' })),
    ...pageParameters,
  }),
  response: Type.Array(SeriesMemberSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id, state, ...page }) {
    await requireSeries(db, id);
    const steps = await listSteps(db, [id]);
    return listed(db, memberList, { series_id: id, state }, page, (row) =>
      toMember(row, steps, site),
    );
  },
});
