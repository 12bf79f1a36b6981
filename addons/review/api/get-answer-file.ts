import Type from 'typebox';
import { generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { fileResponse, filesUnavailable, findFiles } from '../../../src/modules/files/index.ts';
import { answerFileId } from '../cases/answer-file.ts';
import { findCase } from '../cases/case-rows.ts';

export const getAnswerFile = operation({
  method: 'GET',
  namespace: 'store',
  path: '/cases/{id}/file',
  summary: 'The file that an affiliate sent with an answer',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The case.') }),
  response: Type.String({ format: 'binary' }),
  contentType: 'application/pdf',
  errors: [generalErrors.notFound, filesUnavailable],
  async handle({ db, site }, { id }) {
    const row = requireFound(await findCase(db, { id }));
    const fileId = answerFileId(row.answer_file);
    const [file] = fileId === undefined ? [] : await findFiles(db, [fileId]);
    return fileResponse(site, requireFound(file));
  },
});
