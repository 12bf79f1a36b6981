import { defineModule } from '../../kernel/declare/module.ts';
import { showUnsubscribe, submitUnsubscribe } from './unsubscribe-page.ts';

export const unsubscribeModule = defineModule({
  name: 'unsubscribe',
  summary: 'Unsubscribing from emails to many with one click',
  addon: false,
  operations: [showUnsubscribe, submitUnsubscribe],
});
