import Type, { type Static } from 'typebox';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { referralUrl } from '../../../src/modules/coupons/index.ts';
import { renderText, type MailDefinition, type Notice } from '../../../src/modules/mail/index.ts';
import { siteLanguage } from '../../../src/modules/store-profile/index.ts';
import { languages, type Language } from '../../../src/shared/languages.ts';

/** Separate from all mails about money: who switches it off still gets those. */
export const announcementNotice: Notice = {
  name: 'announcements',
  description: 'News and announcements of the store.',
  audience: 'everyone',
};

const Data = Type.Object({
  name: Type.String({ description: 'The name of the affiliate.' }),
  coupon_code: Type.String({ description: 'Its first coupon code; empty if it has none.' }),
  referral_url: Type.String({ description: 'The link of that coupon; empty if it has none.' }),
});

/** Each announcement has its own texts, so there are no built-in ones, and none to change. */
const NO_TEXTS = { subject: '', text: '' };

export const announcementMail: MailDefinition<typeof Data> = {
  name: 'announcement',
  // `languages` lists every language.
  texts: Object.fromEntries(languages.map((one) => [one, NO_TEXTS])) as Record<
    Language,
    typeof NO_TEXTS
  >,
  data: Data,
  notice: announcementNotice,
};

export type Texts = Partial<Record<Language, { subject: string; text: string }>>;

/** The text for a reader: in its language, else in that of the site, else the first one. */
export function textFor(site: Site, texts: Texts, language: Language | '') {
  const own = site.settings.get(siteLanguage);
  const wanted = [language || own, own, ...languages].find((one) => texts[one] !== undefined)!;
  return { language: wanted, ...texts[wanted]! };
}

/** The values of a text for one person. */
export function dataOf(site: Site, name: string, code: string | undefined): Static<typeof Data> {
  return {
    name,
    coupon_code: code ?? '',
    referral_url: code === undefined ? '' : referralUrl(site, code),
  };
}

/** The text as one person reads it. */
export function readBy(
  site: Site,
  texts: Texts,
  reader: { readonly display_name: string; readonly language: Language | '' },
  code: string | undefined,
): { language: Language; subject: string; text: string } {
  const { language, ...found } = textFor(site, texts, reader.language);
  const data = dataOf(site, reader.display_name, code);
  const render = (text: string) => renderText(site, text, { language, data });
  return { language, subject: render(found.subject), text: render(found.text) };
}

/** Unique for an announcement and a person: the outbox takes no second mail with it. */
export const keyOf = (id: number, userId: number): string => `announcement:${id}:${userId}`;

const KEY = /^announcement:(\d+):(\d+)$/;

export function idsInKey(key: string): { id: number; userId: number } | undefined {
  const [, id, userId] = KEY.exec(key) ?? [];
  return id === undefined ? undefined : { id: Number(id), userId: Number(userId) };
}

/** Names the announcement in the link that unsubscribes. */
export const sourceOf = (id: number): string => `announcement-${id}`;

export function idInSource(source: string): number | undefined {
  const id = /^announcement-(\d+)$/.exec(source)?.[1];
  return id === undefined ? undefined : Number(id);
}
