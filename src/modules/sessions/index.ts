export { proofMethods, type ProofMethod } from './proof-methods.ts';
export { secondFactors, secondStepMethods, type SecondStepMethod } from './second-factors.ts';
export { proofRequired, requireProof } from './require-proof.ts';
export { isPassword } from './check-password.ts';
export { wrongProof } from './prove-session.ts';
export { endSessions } from './end-sessions.ts';
export { clearCookie, cookieName, endSession, openSession } from './session.ts';
export { signIn } from './sign-in.ts';
export { createSetupLink } from './setup/setup-link.ts';
