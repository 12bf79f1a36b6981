import Type, { type Static } from 'typebox';
import type { Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { decide, type Decision } from '../cases/decide.ts';
import { decisionFields } from './decide-case.ts';

const BATCH_MAX = 200;

const ResultSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The case.' }),
    ok: Type.Boolean({ description: 'True if this request decided it.' }),
    error: Nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why it was not decided: an error of `POST /cases/{id}/decide`.' },
      ),
    ),
  },
  { $id: 'DecidedCase', examples: [{ id: 9, ok: true, error: null }] },
);

export const decideCases = operation({
  method: 'POST',
  namespace: 'store',
  path: '/cases/decide',
  summary: `Decide up to ${BATCH_MAX} cases`,
  description: 'Each case is decided in a transaction of its own and has a result of its own.',
  access: 'admin',
  scope: 'write',
  proof: true,
  body: Type.Object(
    {
      ids: Type.Array(Id('A case.'), {
        minItems: 1,
        maxItems: BATCH_MAX,
        uniqueItems: true,
        description: `The cases, at most ${BATCH_MAX}.`,
      }),
      ...decisionFields,
    },
    { $id: 'DecideCases' },
  ),
  example: { body: { ids: [9], decision: 'clear' } },
  response: Type.Object(
    { items: Type.Array(ResultSchema, { description: 'In the order of `ids`.' }) },
    { $id: 'DecidedCases' },
  ),
  // One transaction per case.
  transaction: false,
  async handle({ site, caller, nowMs }, { ids, decision, note = '', tell = true }) {
    const items: Static<typeof ResultSchema>[] = [];
    for (const id of ids) {
      items.push(await decideOne(site, id, { decision, note, tell }, { caller, nowMs }));
    }
    return { items };
  },
});

async function decideOne(
  site: Site,
  id: number,
  decision: Decision,
  by: { readonly caller: Caller; readonly nowMs: number },
): Promise<Static<typeof ResultSchema>> {
  try {
    await site.database.transaction((tx) => decide(tx, site, id, decision, by));
    return { id, ok: true, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { id, ok: false, error: { code: error.definition.code, message: error.message } };
  }
}
