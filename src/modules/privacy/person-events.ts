import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';

export const affiliateAnonymised = defineEvent(
  'affiliate.anonymised',
  'The personal data of an affiliate was erased.',
  Type.Object({ user_id: Type.Integer({ description: 'The affiliate.' }) }),
  { id: 90, timestamp: '2026-02-20T14:05:09.442Z', data: { user_id: 8 } },
);
