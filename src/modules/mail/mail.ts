import type { TBoolean, TObject } from 'typebox';
import { Point } from '../../kernel/declare/point.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import { languages, type Language } from '../../shared/languages.ts';
import { findText, textIn, type TextKey } from '../../shared/texts.ts';

/** Why a recipient gets a mail: it applied, it has an account, or it manages the program. */
type MailReason = 'application' | 'account' | 'team';

/** The mails of `texts/<language>/mails.json`. */
export type MailName = TextKey extends infer K
  ? K extends `mails.${infer N}.subject`
    ? N
    : never
  : never;

/**
 * Mustache templates: `{{coupon_code}}`, or `{{#message}}…{{/message}}` for a value that may be empty. `{{link}}`
 * is the one-time link of the mail, if it has one.
 */
export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  /** Default: the paragraphs of the text. */
  readonly html?: string;
  /**
   * The label of the button. A paragraph of the text that is `{{link}}` or a page of the portal, and nothing else,
   * becomes the button.
   */
  readonly action?: string;
}

/** A mail that a module sends: its built-in templates, and the data they may use. */
export interface MailDefinition<D extends TObject = TObject> {
  readonly name: string;
  readonly texts: Readonly<Record<Language, MailTexts>>;
  readonly data: D;
  /** Left out for decisions and for what protects the recipient: these mails are always sent. */
  readonly notice?: Notice;
  /** Why the recipient gets it, for the footer; an account by default. */
  readonly reason?: MailReason;
  /** When it is sent, and to whom, for the people who change its texts. */
  readonly about?: string;
  /** Data that a site's own text must contain, because the mail would be useless or misleading without them. */
  readonly required?: readonly string[];
  /** Only administrators may change its texts, as those of every mail with a one-time link. */
  readonly administratorsOnly?: true;
}

type MailOptions = Pick<
  MailDefinition,
  'notice' | 'reason' | 'about' | 'required' | 'administratorsOnly'
>;

/** A group of mails that their recipients may switch off. */
export interface Notice {
  readonly name: string;
  readonly description: string;
  /** The team: administrators and managers. */
  readonly audience: 'everyone' | 'team' | 'administrators';
  /** While this setting is off, none is sent, and the choice is not offered. */
  readonly shownWhile?: SettingDefinition<TBoolean>;
}

/** Modules list the notices that they send. */
export const notices = new Point<Notice>('notices');

/**
 * Declares a mail whose texts are in the catalogue. Its data must not contain secrets or payout details: mails are
 * stored for 30 days. A one-time link is not data: see `link` of `enqueueMail`.
 */
export function defineMail<D extends TObject>(
  name: MailName,
  data: D,
  options: MailOptions = {},
): MailDefinition<D> {
  let known: Record<Language, MailTexts> | undefined;
  return {
    name,
    // When they are first used: an add-on's file of texts may be evaluated after this.
    get texts() {
      // `languages` lists every language.
      known ??= Object.fromEntries(
        languages.map((one) => [one, builtInTexts(name, one)]),
      ) as Record<Language, MailTexts>;
      return known;
    },
    data,
    ...options,
  };
}

function builtInTexts(name: MailName, language: Language): MailTexts {
  const action = findText(language, `mails.${name}.action`);
  return {
    subject: textIn(language, `mails.${name}.subject`),
    text: textIn(language, `mails.${name}.text`),
    ...(action !== undefined && { action }),
  };
}

/** Whether the templates of a mail use its one-time link. */
export function usesLink(mail: MailDefinition): boolean {
  return Object.values(mail.texts).some(({ text }) => text.includes('{{link}}'));
}

/** Whether a manager must not change the texts: they could lead the recipient, and the link, elsewhere. */
export function isForAdministrators(mail: MailDefinition): boolean {
  return mail.administratorsOnly === true || usesLink(mail);
}

/** Modules list their mails here, so that a site's own templates can be checked at the start. */
export const mails = new Point<MailDefinition<any>>('mails');
