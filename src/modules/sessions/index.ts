export { proofRequired, requireProof } from './require-proof.ts';
export { cookieName } from './session.ts';
export { createSetupLink } from './setup/setup-link.ts';
