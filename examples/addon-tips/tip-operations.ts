import {
  ApiError,
  defineEvent,
  emit,
  generalErrors,
  Id,
  operation,
  Type,
} from 'tributary-affiliates/extension';
import { insertTip, isUser, newestTips } from './tip-rows.ts';

const TipSchema = Type.Object(
  { id: Type.Integer(), user_id: Type.Integer(), note: Type.String() },
  { $id: 'Tip', examples: [{ id: 1, user_id: 4, note: 'Post on Fridays.' }] },
);

export const tipCreated = defineEvent(
  'tip.created',
  'A tip was written for an affiliate.',
  Type.Object({ tip_id: Type.Integer(), user_id: Type.Integer() }),
  { id: 90, timestamp: '2026-03-02T09:00:00.000Z', data: { tip_id: 1, user_id: 4 } },
);

export const createTip = operation({
  method: 'POST',
  namespace: 'store',
  path: '/tips',
  summary: 'Write a tip for an affiliate',
  access: 'admin',
  scope: 'write',
  body: Type.Object(
    { user_id: Id('The affiliate.'), note: Type.String({ minLength: 1, maxLength: 500 }) },
    { $id: 'CreateTip' },
  ),
  example: { body: { user_id: 4, note: 'Post on Fridays.' } },
  status: 201,
  response: TipSchema,
  errors: [generalErrors.notFound],
  async handle({ db, nowMs }, { user_id, note }) {
    if (!(await isUser(db, user_id))) throw new ApiError(generalErrors.notFound);
    const tip = await insertTip(db, { user_id, note, created_at: nowMs });
    emit(db, tipCreated, {
      objectId: tip.id,
      userId: user_id,
      info: `Tip ${tip.id} was written`,
      data: { tip_id: tip.id, user_id },
      nowMs,
    });
    return { id: tip.id, user_id, note };
  },
});

export const listTips = operation({
  method: 'GET',
  namespace: 'store',
  path: '/tips',
  summary: 'List the newest tips',
  access: 'admin',
  scope: 'read',
  response: Type.Array(TipSchema),
  async handle({ db }) {
    const tips = await newestTips(db, 100);
    return tips.map(({ id, user_id, note }) => ({ id, user_id, note }));
  },
});
