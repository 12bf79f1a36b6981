export { createAccountLink } from './account-link.ts';
export { findPendingEmail } from './link-rows.ts';
/** @public Used by modules that invite people. */
export { createInvitation, inviteAgain, inviteUser, needsInvitation } from './invite-user.ts';
