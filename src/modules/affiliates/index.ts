export { addAffiliate } from './add-affiliate.ts';
export { applyChange } from './apply-change.ts';
export { affiliateUpdated } from './affiliate-events.ts';
export { affiliateExtras, newAffiliates, type AffiliateExtra } from './affiliate-extra.ts';
export {
  countAllAffiliates,
  findAffiliate,
  lockAffiliate,
  selectAffiliates,
  type AffiliateRow,
} from './affiliate-rows.ts';
export { AffiliateSchema, toAffiliate } from './affiliate-wire.ts';
export {
  alreadyAnonymised,
  requireAffiliate,
  requireNotAnonymised,
  requireOwnAffiliate,
} from './affiliate.ts';
export { createAffiliate } from './create-affiliate.ts';
export { endMembership, groupsOfMany, joinGroup, requireGroups } from './membership.ts';
export { enrollUser } from './enroll-user.ts';
export { refreshForRead, removeEntry, userChanges } from './list/refresh-roster.ts';
export { countWithUnpaid } from './list/roster-rows.ts';
export { listNoteTexts, removeNotesOf } from './notes/note-rows.ts';
export { affiliateStatuses } from './tables.ts';
export { findTagsOf, replaceTags } from './tags/tag-rows.ts';
