export { registrationsOpen } from './settings.ts';
