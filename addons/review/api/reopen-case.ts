import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { caseIsOpen, reopen, undoTooLate } from '../cases/decide.ts';
import { CaseSchema, toCases } from './case-wire.ts';

export const reopenCase = operation({
  method: 'POST',
  namespace: 'store',
  path: '/cases/{id}/reopen',
  summary: 'Undo the decision of a case',
  description:
    'Within 30 days. The case is open again and holds what it held; an affiliate whom the decision suspended is ' +
    'active again.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The case.') }),
  response: CaseSchema,
  errors: [generalErrors.notFound, caseIsOpen, undoTooLate],
  async handle({ db, site, caller, nowMs, request }, { id }) {
    const row = await reopen(db, site, id, { caller, nowMs });
    const [reopened] = await toCases(db, site, [row], languageOf(site, request));
    return reopened!;
  },
});
