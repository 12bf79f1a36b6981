import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import {
  CurrencyCode,
  LocalTime,
  Nullable,
  StringEnum,
} from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Language } from '../../../src/shared/languages.ts';
import { textIn } from '../../../src/shared/texts.ts';
import { AnswerFileSchema, answerFileOf } from '../cases/answer-file.ts';
import { readNames, type CaseRow } from '../cases/case-rows.ts';
import { hitsOf, sentenceOf } from '../cases/hit.ts';
import { finderNames } from '../rules/rules.ts';
import { caseStates, historyActions, subjectTypes } from '../tables.ts';
import '../texts.ts';

/** What the team and the affiliate both see. */
const common = {
  id: Type.Integer({ description: 'The id of the case.' }),
  state: StringEnum(caseStates, { description: 'Open, or how it was decided.' }),
  rule: StringEnum(finderNames, {
    description: 'The rule that opened it; of a case that only noted, the first that holds.',
  }),
  subject: Type.Object(
    {
      type: StringEnum(subjectTypes, { description: 'What it is about.' }),
      id: Type.Union([Type.Integer(), Type.String()], {
        description: 'Its id; of a customer the keyed hash.',
      }),
    },
    { description: 'What the case is about.' },
  ),
  user_id: Nullable(Type.Integer({ description: 'The affiliate whom it concerns.' })),
  held: Type.Number({ description: 'The commission that it holds now.' }),
  currency: CurrencyCode,
  answer: Nullable(Type.String({ description: 'What the affiliate answered.' })),
  answer_file: Nullable(AnswerFileSchema),
  date: LocalTime('When it was opened.'),
  date_answered: Nullable(LocalTime('When the affiliate answered.')),
  date_decided: Nullable(LocalTime('When it was decided.')),
};

const exampleCommon = {
  id: 9,
  state: 'open' as const,
  rule: 'same_people' as const,
  subject: { type: 'order' as const, id: 1042 },
  user_id: 7,
  held: 12.5,
  currency: 'USD',
  answer: null,
  answer_file: null,
  date: '2026-01-20T14:05:09',
  date_answered: null,
  date_decided: null,
};

const exampleReason = 'The customer and the affiliate both have a mailbox at acme.shop.';

export const CaseSchema = Type.Object(
  {
    ...common,
    affiliate: Nullable(
      Type.Object(
        { id: Type.Integer(), name: Type.String() },
        { description: 'The affiliate whom it concerns.' },
      ),
    ),
    reason: Type.String({
      description: 'Why it was opened, in the language of the reader (Accept-Language).',
    }),
    evidence: Type.Array(
      Type.Object({
        rule: StringEnum(finderNames, { description: 'The rule that found it.' }),
        date: LocalTime('When it was found.'),
        reason: Type.String({ description: 'What was found, as a sentence.' }),
        figures: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
          description: 'The figures of the sentence.',
        }),
      }),
      { description: 'What rules have found, oldest first; empty after the person was erased.' },
    ),
    decided_by: Nullable(
      Type.Integer({ description: 'The user who decided; 0 for a rule or a setting.' }),
    ),
    note: Type.String({ description: 'The reason of the decision.' }),
    tell: Type.Boolean({ description: 'Whether the affiliate reads the decision and its note.' }),
  },
  {
    $id: 'Case',
    examples: [
      {
        ...exampleCommon,
        affiliate: { id: 7, name: 'Maya Ortiz' },
        reason: exampleReason,
        evidence: [
          {
            rule: 'same_people',
            date: '2026-01-20T14:05:09',
            reason: exampleReason,
            figures: { domain: 'acme.shop' },
          },
        ],
        decided_by: null,
        note: '',
        tell: true,
      },
    ],
  },
);

export const historySchema = Type.Array(
  Type.Object({
    date: LocalTime('When it happened.'),
    action: StringEnum(historyActions, { description: 'What happened.' }),
    user_id: Type.Integer({ description: 'The user who did it; 0 for a rule or a setting.' }),
    name: Nullable(Type.String({ description: 'Their name; null for a rule or a setting.' })),
    note: Type.String({ description: 'The note, or the name of the rule.' }),
  }),
  { description: 'What has happened to the case, oldest first.' },
);

export const OwnCaseSchema = Type.Object(
  {
    ...common,
    explanation: Type.String({
      description: 'What the case means, in the language of the reader (Accept-Language).',
    }),
    may_answer: Type.Boolean({ description: 'Whether the affiliate can still answer.' }),
    note: Type.String({ description: 'The reason of the decision, if the store gave one.' }),
  },
  {
    $id: 'OwnCase',
    examples: [
      {
        ...exampleCommon,
        explanation: 'The store is checking this order. Its commission waits until that is done.',
        may_answer: true,
        note: '',
      },
    ],
  },
);

function toCommon(row: CaseRow, { currency, calendar }: Site) {
  const { id, state, user_id, answer } = row;
  return {
    id,
    state,
    // Only declared rules open cases.
    rule: row.rule as (typeof finderNames)[number],
    subject: {
      type: row.subject_type,
      id: row.subject_type === 'customer' ? row.subject_id : Number(row.subject_id),
    },
    user_id,
    held: currency.toMajor(row.held),
    currency: currency.code,
    answer,
    answer_file: answerFileOf(row.answer_file),
    date: calendar.toLocal(row.opened_at),
    date_answered: calendar.toLocal(row.answered_at),
    date_decided: calendar.toLocal(row.decided_at),
  };
}

type Case = Static<typeof CaseSchema>;

export async function toCases(
  db: Reader,
  site: Site,
  rows: readonly CaseRow[],
  language: Language,
): Promise<Case[]> {
  const names = await readNames(
    db,
    rows.map(({ user_id }) => user_id),
  );
  return rows.map((row) => toCase(row, site, language, names));
}

/** A case, and who did what in it. */
export async function toCaseWithHistory(
  db: Reader,
  site: Site,
  row: CaseRow,
  history: readonly RowOf<'review_history'>[],
  language: Language,
): Promise<Case & { history: Static<typeof historySchema> }> {
  const names = await readNames(db, [row.user_id, ...history.map(({ actor_id }) => actor_id)]);
  return {
    ...toCase(row, site, language, names),
    history: history.map(({ at, action, actor_id, note }) => ({
      date: site.calendar.toLocal(at),
      action,
      user_id: actor_id,
      name: names.get(actor_id) ?? null,
      note,
    })),
  };
}

function toCase(
  row: CaseRow,
  site: Site,
  language: Language,
  names: ReadonlyMap<number, string>,
): Case {
  const hits = hitsOf(row.evidence);
  const evidence = hits.map((hit) => ({
    rule: hit.rule,
    date: site.calendar.toLocal(hit.at),
    reason: sentenceOf(hit, site, language),
    figures: hit.figures,
  }));
  return {
    ...toCommon(row, site),
    affiliate:
      row.user_id === null ? null : { id: row.user_id, name: names.get(row.user_id) ?? '' },
    reason:
      (evidence.find(({ rule }) => rule === row.rule) ?? evidence[0])?.reason ??
      textIn(language, 'server.review.erased'),
    evidence,
    decided_by: row.decided_by,
    note: row.note,
    tell: row.tell === 1,
  };
}

function mayAnswer({ state, answered_at }: CaseRow): boolean {
  return state === 'open' && answered_at === null;
}

export function toOwnCase(
  row: CaseRow,
  site: Site,
  language: Language,
): Static<typeof OwnCaseSchema> {
  const isOrder = row.subject_type === 'order';
  const about = isOrder ? 'order' : 'account';
  return {
    ...toCommon(row, site),
    explanation: textIn(language, `server.review.own.${row.state}.${about}`),
    may_answer: mayAnswer(row),
    note: row.tell === 1 ? row.note : '',
  };
}
