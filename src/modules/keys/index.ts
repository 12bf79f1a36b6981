export { createKey } from './create-key.ts';
export { makeKey } from './make-key.ts';
