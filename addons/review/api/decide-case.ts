import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { caseIsDecided, decide, decisions } from '../cases/decide.ts';
import { CaseSchema, toCases } from './case-wire.ts';

export const decisionFields = {
  decision: StringEnum(decisions, {
    description:
      '`clear`: the commission is released as usual. `reject`: it is void. `suspend`: it is void, and the ' +
      'affiliate is suspended.',
  }),
  note: Type.Optional(Type.String({ maxLength: 1_000, description: 'Why.' })),
  tell: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether the affiliate gets an email and reads the note.',
    }),
  ),
};

export const decideCase = operation({
  method: 'POST',
  namespace: 'store',
  path: '/cases/{id}/decide',
  summary: 'Decide a case',
  description: 'The decision can be undone for 30 days: `POST /cases/{id}/reopen`.',
  access: 'admin',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The case.') }),
  body: Type.Object(decisionFields, { $id: 'DecideCase' }),
  example: {
    body: { decision: 'clear', note: 'They are colleagues.' },
    response: {
      state: 'cleared',
      held: 0,
      date_decided: '2026-01-21T09:30:00',
      decided_by: 1,
      note: 'They are colleagues.',
    },
  },
  response: CaseSchema,
  errors: [generalErrors.notFound, caseIsDecided],
  async handle({ db, site, caller, nowMs, request }, { id, decision, note = '', tell = true }) {
    const row = await decide(db, site, id, { decision, note, tell }, { caller, nowMs });
    const [decided] = await toCases(db, site, [row], languageOf(site, request));
    return decided!;
  },
});
