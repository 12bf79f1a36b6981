export { proofRequired, requireProof } from './require-proof.ts';
export { createSetupLink } from './setup/setup-link.ts';
