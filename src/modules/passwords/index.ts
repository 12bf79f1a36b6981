export { createApplicationPassword, revokeApplicationPassword } from './application-password.ts';
export { findPassword, listPasswords } from './password-store.ts';
