export { proofMethods, type ProofMethod } from './proof-methods.ts';
export { secondFactors, secondStepMethods, type SecondStepMethod } from './second-factors.ts';
export { isPassword } from './check-password.ts';
export { forgetAttempts } from './sign-in-delay.ts';
export { wrongProof } from './prove-session.ts';
export { endSessions } from './end-sessions.ts';
export { clearCookie, cookieName, endSession, openSession } from './session.ts';
export { openSecondStep, type Identification } from './identify-user.ts';
export { signInUser } from './sign-in.ts';
