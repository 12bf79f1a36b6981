import type { Site } from '../../../kernel/declare/site.ts';
import { compactIban } from '../../../shared/iban.ts';

/** The keyed hash of the account that the details name, for comparisons; empty for store credit. */
export function destinationHash(
  site: Pick<Site, 'keyring'>,
  details: Record<string, unknown>,
): string {
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : '');
  const account = [text('bank_code'), text('account_number'), text('account')].filter(Boolean);
  const named = text('iban') || text('email') || account.join(' ');
  return named === '' ? '' : hashOfAccount(site, named);
}

/** The same for an account as a person writes it. */
export function hashOfAccount({ keyring }: Pick<Site, 'keyring'>, account: string): string {
  return keyring.hash('payout destination', compactIban(account).toLowerCase());
}
