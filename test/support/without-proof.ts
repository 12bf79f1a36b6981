import { withAddons } from './addon-facts.ts';

/** Why a change needs no recent proof of identity in a session: an open browser gains nothing by it. */
const NOTHING_STORED = 'computes, tries or previews, and stores nothing';
const TAKES_AWAY = 'ends a right or a receiver, and gives nothing';
const TEXT = 'a text, a picture, a mark or a mail; no money and no secret';
const STANDARD = 'the standard rate only; rates and groups ask';

/** The reviewed list: every operation that changes something, is not public and declares no `proof`. Add-ons add theirs. */
const ownWithoutProof: Readonly<Record<string, string>> = {
  'DELETE /session': TAKES_AWAY,
  'POST /session/proof': 'is the proof',
  'PATCH /svc/store/v1/account': TEXT,
  'DELETE /svc/store/v1/account/keys/{id}': TAKES_AWAY,
  'PATCH /svc/store/v1/account/passkeys/{id}': TEXT,
  'POST /svc/store/v1/affiliates/{id}/invitation':
    'a mail to the address of the affiliate, whose change asks',
  'POST /svc/store/v1/affiliates/{id}/notes': TEXT,
  'DELETE /svc/store/v1/affiliates/{id}/notes/{note_id}': TEXT,
  'PUT /svc/store/v1/affiliates/{id}/tags': TEXT,
  'POST /svc/store/v1/affiliates/{id}/views': 'a view that can only read',
  'DELETE /svc/store/v1/brand/logo': TEXT,
  'PUT /svc/store/v1/brand/logo': TEXT,
  'DELETE /svc/store/v1/brand/picture': TEXT,
  'PUT /svc/store/v1/brand/picture': TEXT,
  'POST /svc/store/v1/clicks': 'a visit earns nothing without an order, which asks',
  'DELETE /svc/store/v1/coupons/{id}': TAKES_AWAY,
  'POST /svc/store/v1/mails/{name}/{language}/preview': NOTHING_STORED,
  'POST /svc/store/v1/mails/{name}/{language}/test': TEXT,
  'POST /svc/store/v1/orders/test': NOTHING_STORED,
  'POST /svc/store/v1/outbox/{id}/retry': 'the same mail to the same address',
  'POST /svc/store/v1/registrations/{id}/decline': TAKES_AWAY,
  'POST /svc/store/v1/registrations/{id}/messages': TEXT,
  'POST /svc/store/v1/report-views': TEXT,
  'DELETE /svc/store/v1/report-views/{id}': TEXT,
  'POST /svc/store/v1/rewards/bonuses/sentence': NOTHING_STORED,
  'POST /svc/store/v1/rewards/dry-run': NOTHING_STORED,
  'DELETE /svc/store/v1/rewards/dry-run/{id}': NOTHING_STORED,
  'POST /svc/store/v1/rewards/rules/running': NOTHING_STORED,
  'POST /svc/store/v1/rewards/rules/sentence': NOTHING_STORED,
  'POST /svc/store/v1/settings/effects': NOTHING_STORED,
  'DELETE /svc/v2/keys/{id}': TAKES_AWAY,
  'POST /svc/v2/registrations/{id}/status': STANDARD,
};

const LOOK = 'how something looks or is named';
const NOTICE = 'which mails are sent';
const TRACKING = 'how links are made and read; the orders decide what is earned';
const DOOR = 'who may apply, at the standard rate';

/** The settings that a session may change without a recent proof. */
const ownSettingsWithoutProof: Readonly<Record<string, string>> = {
  'attribution.code_parameters': TRACKING,
  'attribution.link': TRACKING,
  'attribution.parameter': TRACKING,
  'attribution.sub_parameters': TRACKING,
  'brand.accent': LOOK,
  'brand.logo': LOOK,
  'console.confirmed_steps': LOOK,
  'mail.earned': NOTICE,
  'mail.report': NOTICE,
  'mail.report_empty': NOTICE,
  'mail.rewards': NOTICE,
  'program.headline': LOOK,
  'program.picture': LOOK,
  'program.picture_text': LOOK,
  'program.sections': LOOK,
  'rewards.category_names': LOOK,
  'rewards.product_names': LOOK,
  'rewards.tag_names': LOOK,
  'program.text': LOOK,
  'registrations.auto_accept': DOOR,
  'registrations.code_template': DOOR,
  'registrations.fields': DOOR,
  'registrations.open': DOOR,
  'site.affiliate_word': LOOK,
  'site.language': LOOK,
  'site.name': LOOK,
  'site.store_url': TRACKING,
};

export const withoutProof = withAddons(ownWithoutProof, (facts) => facts.withoutProof);
export const settingsWithoutProof = withAddons(
  ownSettingsWithoutProof,
  (facts) => facts.settingsWithoutProof,
);
