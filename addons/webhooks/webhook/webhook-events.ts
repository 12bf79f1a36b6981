import Type from 'typebox';
import { defineEvent } from '../../../src/kernel/declare/event.ts';

export const webhookDisabled = defineEvent(
  'webhook.disabled',
  'A webhook was disabled because its receiver kept failing or returned 410.',
  Type.Object({
    webhook_id: Type.Integer(),
    failures: Type.Integer({ description: 'Number of consecutive failed attempts.' }),
    last_error: Type.String({ description: 'Why the last attempt failed.' }),
  }),
  {
    id: 77,
    timestamp: '2026-02-14T03:20:14.265Z',
    data: { webhook_id: 2, failures: 25, last_error: 'The receiver answered 500.' },
  },
);
