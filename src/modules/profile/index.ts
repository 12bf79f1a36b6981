export { withChoices } from './notifications.ts';
