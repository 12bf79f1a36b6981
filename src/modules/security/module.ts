import { defineModule } from '../../kernel/declare/module.ts';
import { noteRefusedAccess, writeRefusals } from './note-refusals.ts';
import { accessRefused, signInFailed } from './security-events.ts';

export const securityModule = defineModule({
  name: 'security',
  summary: 'Failed sign-ins and refused access in the change feed',
  addon: false,
  events: [signInFailed, accessRefused],
  jobs: [writeRefusals],
  onRefused: noteRefusedAccess,
});
