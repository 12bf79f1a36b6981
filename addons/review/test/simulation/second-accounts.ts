import { mailboxOf } from '../../../../src/shared/email-address.ts';
import type { Affiliate } from './affiliates.ts';
import type { Chance } from './chance.ts';

/** What is known of an affiliate when the first payout is requested. */
interface Identity {
  readonly email: string;
  readonly account: string;
  readonly device: string;
  readonly network: string;
}

interface FirstPayout extends Identity {
  readonly day: number;
}

/** As the rule compares them, there with indexes. A network says nothing by itself. */
function areAlike(one: Identity, other: Identity): boolean {
  return (
    one.account === other.account ||
    mailboxOf(one.email) === mailboxOf(other.email) ||
    (one.device === other.device && one.network === other.network)
  );
}

/** Honest people share things, too: an account with a partner, a computer at home, a network at work. */
function honestIdentity(chance: Chance, { id, email }: Affiliate, other: Affiliate): Identity {
  const sharesDevice = chance.happens(0.003);
  const sharesNetwork = sharesDevice || chance.happens(0.05);
  return {
    email,
    account: `account ${chance.happens(0.005) ? other.id : id}`,
    device: `device ${sharesDevice ? other.id : id}`,
    network: `network ${sharesNetwork ? other.id : id}`,
  };
}

/** One person with two accounts is careless with some of what could show it, and a few with nothing of it. */
function secondIdentity(chance: Chance, first: Identity, number: number): Identity {
  const isCareful = chance.happens(0.1);
  const keeps = (share: number) => !isCareful && chance.happens(share);
  return {
    email: keeps(0.3) ? first.email.replace('@', '+two@') : `second${number}@outlook.com`,
    account: keeps(0.6) ? first.account : `second account ${number}`,
    device: keeps(0.6) ? first.device : `second device ${number}`,
    network: keeps(0.8) ? first.network : `second network ${number}`,
  };
}

/** What the rule about duplicates finds at first payouts, which come some weeks after the first order. */
export function simulateSecondAccounts(
  chance: Chance,
  honest: readonly Affiliate[],
  second: number,
): { daysUntilFound: number[]; falseCases: number } {
  const known = honest.map((one) => honestIdentity(chance, one, chance.pick(honest)));
  const firstPayouts: FirstPayout[] = Array.from({ length: second }, (_, i) => ({
    ...secondIdentity(chance, chance.pick(known), i),
    day: chance.between(30, 60),
  }));
  const isFound = (one: Identity) => known.some((other) => other !== one && areAlike(one, other));
  return {
    daysUntilFound: firstPayouts.filter(isFound).map(({ day }) => day),
    // The others had their first payout before the year.
    falseCases: known.filter((one, i) => honest[i]!.joined >= 0 && isFound(one)).length,
  };
}
