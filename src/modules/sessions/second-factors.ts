import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';

/** How the second step of a sign-in can be taken. The proof methods verify it. */
export const secondStepMethods = ['totp', 'passkey', 'recovery'] as const;
export type SecondStepMethod = (typeof secondStepMethods)[number];

/** What the module of second factors contributes to signing in. */
export interface SecondFactors {
  /** Empty for a user without a second factor, who signs in with the password alone. */
  methodsOf(db: Reader, userId: number): Promise<SecondStepMethod[]>;
  /** The user whose passkey signed a response: a sign-in without login and password. */
  userOfPasskey(site: Site, passkey: unknown): Promise<UserRow | undefined>;
  /** Whether the site requires a second factor of administrators at present. */
  isRequiredOfAdministrators(site: Site): boolean;
}

export const secondFactors = new Point<SecondFactors>('second factors');

/** Undefined only in a service that was composed without the module. */
export function secondFactorsOf(site: Site): SecondFactors | undefined {
  return site.registry.contributions(secondFactors)[0];
}
