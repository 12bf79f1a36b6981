export { createApplicationPassword } from './application-password.ts';
