import { defineModule } from '../../kernel/declare/module.ts';
import { showUnsubscribe } from './show-unsubscribe.ts';
import { submitUnsubscribe } from './submit-unsubscribe.ts';

export const unsubscribeModule = defineModule({
  name: 'unsubscribe',
  summary: 'Unsubscribing from emails to many with one click',
  addon: false,
  operations: [showUnsubscribe, submitUnsubscribe],
});
