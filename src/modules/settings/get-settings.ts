import { operation } from '../../kernel/declare/operation.ts';
import { answerSettings, settingsSchema } from './setting-wire.ts';

export const getSettings = operation({
  method: 'GET',
  namespace: 'store',
  path: '/settings',
  summary: 'Get all settings with their values',
  access: 'admin',
  scope: 'manage',
  response: settingsSchema,
  headers: {
    ETag: 'Send it as If-Match with a change: 412 if another user has changed the settings since.',
  },
  handle: ({ db, site }) => answerSettings(db, site),
});
