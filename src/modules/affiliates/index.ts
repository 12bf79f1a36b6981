export { addAffiliate } from './add-affiliate.ts';
export { affiliateUpdated } from './affiliate-events.ts';
export { affiliateExtras, type AffiliateExtra } from './affiliate-extra.ts';
export {
  countAllAffiliates,
  findAffiliate,
  lockAffiliate,
  selectAffiliates,
  type AffiliateRow,
} from './affiliate-store.ts';
export { AffiliateSchema, toAffiliate } from './affiliate-wire.ts';
export { alreadyAnonymised, requireAffiliate, requireNotAnonymised } from './affiliate.ts';
export { createAffiliate } from './create-affiliate.ts';
export { endMembership } from './end-membership.ts';
export { enrollUser } from './enroll-user.ts';
export { groupsOfMany, joinGroup } from './membership.ts';
export { listNoteTexts, removeNotesOf } from './notes/note-store.ts';
export { affiliateStatuses, type AffiliateStatus } from './tables.ts';
export { findTag, findTagsOf, replaceTags } from './tags/tag-store.ts';
