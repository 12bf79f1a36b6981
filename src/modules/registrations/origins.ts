import type { Transaction } from '../../db/database.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hostCookie, setHostCookie } from '../../shared/host-cookie.ts';
import { randomBase62 } from '../../shared/secrets.ts';

/** Where the form of an application was sent from. */
interface ApplicationOrigin {
  readonly userId: number;
  /** The address of the applicant, or its /64. */
  readonly network: string;
  /** The random value of a cookie. */
  readonly device: string;
}

type KeepOrigin = (
  tx: Transaction,
  site: Site,
  origin: ApplicationOrigin,
  nowMs: number,
) => Promise<void>;

/** Runs for each new application that a browser sends. Without a contribution no cookie is set. */
export const applicationOrigins = new Point<KeepOrigin>('registrations.origins');

const NAME = 'tributary_applicant';
const LENGTH = 22;
const VALUE = /^[0-9A-Za-z]{22}$/;
export const DEVICE_DAYS = 365;

/** The device of the request, or a new one; undefined where none is kept. */
export function deviceOf(site: Site, request: RequestFacts): string | undefined {
  if (site.registry.contributions(applicationOrigins).length === 0) return undefined;
  const known = request.cookie(hostCookie(NAME, request.secure));
  return known !== undefined && VALUE.test(known) ? known : randomBase62(LENGTH);
}

export function deviceCookie(device: string, secure: boolean): string {
  return setHostCookie(NAME, device, { secure, maxAge: DEVICE_DAYS * 24 * 60 * 60 });
}

export async function keepOrigin(
  tx: Transaction,
  site: Site,
  origin: ApplicationOrigin,
  nowMs: number,
): Promise<void> {
  for (const keep of site.registry.contributions(applicationOrigins)) {
    await keep(tx, site, origin, nowMs);
  }
}
