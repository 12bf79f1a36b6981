export { proofRequired, requireProof } from './require-proof.ts';
export { endSessions } from './end-sessions.ts';
export { cookieName } from './session.ts';
export { createSetupLink } from './setup/setup-link.ts';
