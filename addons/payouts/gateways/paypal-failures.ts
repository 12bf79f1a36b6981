import type { FailureCode } from '../extension.ts';

const names: readonly [FailureCode, string][] = [
  ['balance', 'INSUFFICIENT_FUNDS NEGATIVE_BALANCE'],
  ['credentials', 'AUTHENTICATION_FAILURE INVALID_CLIENT'],
  ['not_permitted', 'NOT_AUTHORIZED AUTHORIZATION_ERROR PERMISSION_DENIED REQUIRED_SCOPE_MISSING'],
  [
    'account_limited',
    'SENDER_ACCOUNT_LOCKED SENDER_ACCOUNT_UNVERIFIED SENDER_STATE_RESTRICTED SENDER_RESTRICTED ' +
      'SENDER_EMAIL_UNCONFIRMED SPENDING_LIMIT_EXCEEDED POS_LIMIT_EXCEEDED',
  ],
  ['account_unknown', 'RECEIVER_UNREGISTERED INVALID_EMAIL RECEIVER_DOES_NOT_EXIST'],
  ['account_not_ready', 'RECEIVER_UNCONFIRMED RECEIVER_UNVERIFIED'],
  [
    'account_closed',
    'RECEIVER_ACCOUNT_LOCKED RECEIVER_ACCOUNT_INACTIVE RECEIVER_ACCOUNT_LIMITATION ' +
      'RECEIVER_RESTRICTED ACCOUNT_RESTRICTED RECEIVER_REFUSED',
  ],
  [
    'not_supported',
    'RECEIVER_COUNTRY_NOT_ALLOWED RECEIVER_STATE_RESTRICTED RECEIVER_YOUTH_ACCOUNT ' +
      'CURRENCY_NOT_SUPPORTED_FOR_RECEIVER CURRENCY_COMPLIANCE NON_HOLDING_CURRENCY',
  ],
  ['receiver_limit', 'RECEIVING_LIMIT_EXCEEDED'],
  ['amount_not_payable', 'ZERO_AMOUNT INVALID_AMOUNT TRANSACTION_LIMIT_EXCEEDED'],
];

/** PayPal's error names, both of requests and of single payments. */
export const paypalFailures: ReadonlyMap<string, FailureCode> = new Map(
  names.flatMap(([code, list]) =>
    list.split(' ').map((name): [string, FailureCode] => [name, code]),
  ),
);
