import { operation } from '../../kernel/declare/operation.ts';
import { settingsSchema, toSettings } from './setting-wire.ts';

export const getSettings = operation({
  method: 'GET',
  namespace: 'store',
  path: '/settings',
  summary: 'Get all settings with their values',
  access: 'admin',
  scope: 'manage',
  response: settingsSchema,
  handle: ({ site }) => toSettings(site),
});
