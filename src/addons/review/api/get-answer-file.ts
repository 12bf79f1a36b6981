import Type from 'typebox';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { AnswerFileSchema, answerFileOf, findFile } from '../cases/answer-file.ts';
import { findCase } from '../cases/case-rows.ts';

export const getAnswerFile = operation({
  method: 'GET',
  namespace: 'store',
  path: '/cases/{id}/file',
  summary: 'The file that an affiliate sent with an answer',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The case.') }),
  response: Type.Object(
    {
      ...AnswerFileSchema.properties,
      content: Type.String({ contentEncoding: 'base64', description: 'The file in base64.' }),
    },
    {
      $id: 'CaseFile',
      examples: [
        { name: 'invoice.pdf', type: 'application/pdf', size: 9, content: 'JVBERi0xLjcK' },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db }, { id }) {
    const [row, found] = await Promise.all([findCase(db, { id }), findFile(db, { case_id: id })]);
    const file = answerFileOf(row?.answer_file);
    if (!file || !found) throw new ApiError(generalErrors.notFound);
    return { ...file, content: found.content };
  },
});
