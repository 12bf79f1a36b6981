import { hasWord, t } from '../../words.ts';

export const mailKinds = ['money', 'people', 'account', 'team'] as const;
type MailKind = (typeof mailKinds)[number];

/** By what the names begin with; all others are to affiliates and applicants. */
const kinds: readonly [MailKind, RegExp][] = [
  [
    'team',
    /^(store|team|webhook|mail-text)-|-to-(review|team)$|^cases-open$|^payout-(gateway|unclear)/,
  ],
  ['money', /^(payout|case)-|^(earned|report|rewards-changed)$/],
  ['account', /^(account|address|password|sign-in|two-factor)-/],
];

export function kindOf(name: string): MailKind {
  return kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'people';
}

/** "Payout paid"; `payout-paid` → "Payout paid" for a mail of an extension. */
export function titleOf(name: string): string {
  const key = `console-mails.name.${name}`;
  if (hasWord(key)) return t(key);
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** When it is sent, and to whom. */
export function sentWhen({ name, about }: { name: string; about: string }): string {
  const key = `console-mails.sent.${name}`;
  return hasWord(key) ? t(key) : about;
}
