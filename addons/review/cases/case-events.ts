import Type, { type Static } from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import { defineEvent, type EventDefinition } from '../../../src/kernel/declare/event.ts';
import { CurrencyCode, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { caseStates } from '../tables.ts';
import type { CaseRow } from './case-rows.ts';

const CaseData = Type.Object({
  case_id: Type.Integer({ description: 'The case.' }),
  state: StringEnum(caseStates, { description: 'Its state now.' }),
  rule: Type.String({ description: 'The rule that opened it.' }),
  user_id: Nullable(Type.Integer({ description: 'The affiliate whom it concerns.' })),
  held: Type.Number({ description: 'The commission that it holds.' }),
  currency: CurrencyCode,
});

const example = {
  case_id: 9,
  state: 'open' as const,
  rule: 'same_people',
  user_id: 7,
  held: 12.5,
  currency: 'USD',
};

const define = (
  name: `case.${string}`,
  summary: string,
  id: number,
  data: Static<typeof CaseData>,
) =>
  defineEvent(
    name,
    summary,
    CaseData,
    { id, timestamp: `2026-11-20T10:14:0${id - 170}.402Z`, data },
    'case',
  );

export const caseOpened = define('case.opened', 'A case was opened.', 170, example);
export const caseAnswered = define('case.answered', 'An affiliate answered a case.', 171, example);
export const caseDecided = define('case.decided', 'A case was cleared or rejected.', 172, {
  ...example,
  state: 'cleared',
  held: 0,
});
export const caseReopened = define(
  'case.reopened',
  'The decision of a case was undone.',
  173,
  example,
);

export const caseEvents = [caseOpened, caseAnswered, caseDecided, caseReopened];

const words = new Map<EventDefinition, string>([
  [caseOpened, 'opened'],
  [caseAnswered, 'answered'],
  [caseReopened, 'reopened'],
]);

export function emitCase(
  tx: Transaction,
  { currency }: Site,
  event: (typeof caseEvents)[number],
  { id, state, rule, user_id, held }: CaseRow,
  { actorId, nowMs }: { readonly actorId: number; readonly nowMs: number },
): void {
  emit(tx, event, {
    objectId: id,
    userId: actorId,
    info: `Case ${id} (${rule}) ${words.get(event) ?? state}.`,
    data: {
      case_id: id,
      state,
      rule,
      user_id,
      held: currency.toMajor(held),
      currency: currency.code,
    },
    nowMs,
  });
}
