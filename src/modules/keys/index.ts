export { createKey } from './create-key.ts';
export { listKeys } from './list-keys.ts';
export { revokeKey } from './revoke-key.ts';
