export { createApplicationPassword, revokeApplicationPassword } from './application-password.ts';
