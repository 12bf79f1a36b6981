import { signal } from '@preact/signals';
import type { CallOptions, MailText } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { warnBeforeLeaving } from '../../frame/unsaved.ts';

export type Words = Pick<MailText, 'subject' | 'text'>;
type MailId = Pick<MailText, 'name' | 'language'>;

/** A text at one moment, with the tag that a change names. */
export interface TextVersion {
  readonly mail: MailText;
  readonly tag: string;
}

interface MailDraft {
  readonly words: Words;
  /** What the person saw when the first letter was changed; its tag finds changes of others. */
  readonly base: TextVersion;
}

const drafts = signal<ReadonlyMap<string, MailDraft>>(new Map());
warnBeforeLeaving(() => drafts.value.size > 0);

const keyOf = ({ name, language }: MailId) => `${name}:${language}`;

/** What was typed and is not saved. It is kept while the person looks at other screens. */
export function draftOf(mail: MailId): MailDraft | undefined {
  return drafts.value.get(keyOf(mail));
}

/** Text that equals what is stored is no draft. */
export function setDraft(base: TextVersion, words: Words): void {
  const others = new Map(drafts.value);
  if (isSame(words, base.mail)) others.delete(keyOf(base.mail));
  else others.set(keyOf(base.mail), { base, words });
  drafts.value = others;
}

export function dropDraft(mail: MailId): void {
  const others = new Map(drafts.value);
  if (others.delete(keyOf(mail))) drafts.value = others;
}

function isSame(a: Words, b: Words): boolean {
  return a.subject === b.subject && a.text === b.text;
}

export async function loadText({ name, language }: MailId): Promise<TextVersion> {
  return withTag((options) => api.mails.get(name, language, options));
}

/** Stores a text unless another person has changed it since that version. */
export async function storeText(
  { mail: { name, language }, tag }: TextVersion,
  { subject, text }: Words,
  options: CallOptions,
): Promise<TextVersion> {
  return withTag((more) =>
    api.mails.set(name, language, { subject, text }, { ...options, ...more, ifMatch: tag }),
  );
}

async function withTag(call: (options: CallOptions) => Promise<MailText>): Promise<TextVersion> {
  let tag = '';
  const mail = await call({ onHeaders: (headers) => (tag = headers.get('etag') ?? '') });
  return { mail, tag };
}
