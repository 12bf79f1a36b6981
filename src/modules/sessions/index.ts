export { proofMethods, type ProofMethod } from './proof-methods.ts';
export { secondFactors, secondStepMethods, type SecondStepMethod } from './second-factors.ts';
export { proofRequired, requireProof } from './require-proof.ts';
export { endSessions } from './end-sessions.ts';
export { cookieName } from './session.ts';
export { createSetupLink } from './setup/setup-link.ts';
