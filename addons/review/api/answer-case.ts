import Type from 'typebox';
import { actorId, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import {
  DOCUMENT_BYTES_MAX,
  FileInput,
  filesUnavailable,
  storeFile,
  tooManyBytes,
  useFile,
} from '../../../src/modules/files/index.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { storedAnswerFile } from '../cases/answer-file.ts';
import { caseAnswered, emitCase } from '../cases/case-events.ts';
import { findCase, insertHistory, lockCase, saveAnswer, type CaseRow } from '../cases/case-rows.ts';
import { caseIsDecided } from '../cases/decide.ts';
import { OwnCaseSchema, toOwnCase } from './case-wire.ts';

export const alreadyAnswered = defineError(
  'svc_api_already_answered',
  409,
  'This case has already been answered.',
);

export const answerCase = operation({
  method: 'POST',
  namespace: 'store',
  path: '/cases/{id}/answer',
  summary: 'Answer a case about oneself',
  description: 'For the affiliate, once, while the case is open.',
  access: 'owner',
  scope: 'write',
  upload: { content: 'file', bytesMax: DOCUMENT_BYTES_MAX },
  params: Type.Object({ id: Id('The case.') }),
  body: Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: 5_000, description: 'The answer.' }),
      file: Type.Optional(FileInput),
    },
    { $id: 'AnswerCase' },
  ),
  example: {
    body: { text: 'The customer works in the same building.' },
    response: {
      answer: 'The customer works in the same building.',
      date_answered: '2026-01-20T16:00:00',
      may_answer: false,
    },
  },
  response: OwnCaseSchema,
  errors: [generalErrors.notFound, caseIsDecided, alreadyAnswered, tooManyBytes, filesUnavailable],
  permit: async ({ db, caller }, { id }) => requireAnswerable(await findCase(db, { id }), caller),
  async prepare({ file }, site, request, caller) {
    if (!file) return undefined;
    const purpose = { kind: 'document', access: 'private', field: 'file' } as const;
    return storeFile(site, { caller, request }, file, { ...purpose, userId: actorId(caller) });
  },
  async handle({ db, site, caller, nowMs, request, prepared: file }, { id, text }) {
    const row = requireAnswerable(await lockCase(db, { id }), caller);
    if (file) await useFile(db, file);
    const answer_file = file ? storedAnswerFile(file) : null;
    const answered = { id, answer: text, answered_at: nowMs, answer_file };
    await saveAnswer(db, answered);
    const by = actorId(caller);
    const entry = { case_id: id, at: nowMs, actor_id: by, action: 'answered' as const };
    await insertHistory(db, { ...entry, note: '' });
    emitCase(db, site, caseAnswered, row, { actorId: by, nowMs });
    return toOwnCase({ ...row, ...answered }, site, languageOf(site, request));
  },
});

function requireAnswerable(row: CaseRow | undefined, caller: Caller): CaseRow {
  if (!row || row.user_id === null || row.user_id !== caller.person?.id) {
    throw new ApiError(generalErrors.notFound);
  }
  if (row.state !== 'open') throw new ApiError(caseIsDecided);
  if (row.answered_at !== null) throw new ApiError(alreadyAnswered);
  return row;
}
