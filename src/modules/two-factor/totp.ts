import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with the parameters that every authenticator app supports. */
const PERIOD_S = 30;
const SECRET_BYTES = 20;
/** Clocks of phones are off by some seconds: the codes before and after the current one are accepted. */
const WINDOW = 1;

export interface TotpAccount {
  /** Shown by the authenticator app. */
  readonly issuer: string;
  readonly label: string;
}

/** A new secret in base32, as people type it into an app. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that authenticator apps read from a QR code. */
export function otpauthUrl(secret: string, account: TotpAccount): string {
  return totpOf(secret, account).toString();
}

/** The time step that a code belongs to; undefined if it belongs to none that is accepted now. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const digits = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(digits)) return undefined;
  const delta = totpOf(secret).validate({ token: digits, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : currentStep(nowMs) + delta;
}

export function currentStep(nowMs: number): number {
  return Math.floor(nowMs / 1000 / PERIOD_S);
}

function totpOf(secret: string, account?: TotpAccount): TOTP {
  return new TOTP({ ...account, secret: Secret.fromBase32(secret), period: PERIOD_S });
}
