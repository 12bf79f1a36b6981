import type { Site } from '../../../kernel/declare/site.ts';
import type { Language } from '../../../shared/languages.ts';
import { textIn } from '../../../shared/texts.ts';
import { formatMoney } from '../format-money.ts';
import type { MailDefinition } from '../mail.ts';

const EXAMPLE_MINOR = 8420;

/** Values for a preview, by the names that the mails of the service use. */
function examples(site: Site, language: Language): Record<string, unknown> {
  const earns = (rate: string) => `${textIn(language, 'rewards.earn.you', { rate })}.`;
  return {
    name: 'Maya Ortiz',
    login: 'maya',
    email: 'maya@example.com',
    coupon_code: 'MAYA10',
    referral_url: `${site.publicUrl}/r/MAYA10`,
    message: 'We liked your reviews.\nTell us if you need pictures.',
    reason: 'This is the reason.',
    invited: true,
    payout_id: '27',
    money: formatMoney(site, language, EXAMPLE_MINOR),
    amount: String(site.currency.toMajor(EXAMPLE_MINOR)),
    currency: site.currency.code,
    balance: formatMoney(site, language, 3 * EXAMPLE_MINOR),
    since: site.calendar.dayOf(site.clock()),
    day: site.calendar.dayOf(site.clock()),
    changes: textIn(language, 'rewards.change.both', { before: earns('10%'), after: earns('12%') }),
    method: 'PayPal',
    state: 'paid',
    reference: 'TX-1042',
    gateway: 'PayPal',
    remedy: 'Check the account at the gateway.',
    failed: '',
    host: 'shop.example',
    failures: 25,
    attempts: '25',
    last_error: 'HTTP 500',
    webhook_id: 3,
    prefix: 'svc_4f2a',
    description: 'My spreadsheet',
    administrator: false,
    manager: true,
    disabled: false,
    totp_added: true,
  };
}

/** A value for each placeholder of a mail. An unknown one shows its own name. */
export function exampleDataOf(
  site: Site,
  mail: MailDefinition,
  language: Language,
): Record<string, unknown> {
  const known = examples(site, language);
  const entries = Object.entries(mail.data.properties).map(([name, schema]) => {
    if (Object.hasOwn(known, name)) return [name, known[name]];
    const { type } = schema as { type?: string };
    return [name, type === 'boolean' ? false : type === 'integer' ? 3 : name];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
