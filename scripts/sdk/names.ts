/** A route of an OpenAPI document, with what its name depends on. */
export interface NamedRoute {
  method: string;
  namespace: 'v2' | 'store';
  path: string;
  /** Whether it answers with an array. */
  isList: boolean;
}

/** Names that read better than those of the rule. */
const EXCEPTIONS: Record<string, string> = {
  'GET store /openapi': 'openapi.getStore',
  'GET store /events': 'events.search',
  'GET store /affiliates': 'affiliates.search',
  'POST store /affiliates/batch': 'affiliates.changeMany',
  'POST store /affiliates/{id}/postbacks/preview': 'affiliates.postbacks.previewNew',
  'GET store /coupons': 'coupons.search',
  'GET store /payouts': 'payouts.search',
  'POST store /cases/decide': 'cases.decideMany',
  'POST v2 /payouts': 'payouts.request',
  'POST v2 /payouts/{id}/status': 'payouts.setStatus',
  'POST v2 /registrations/{id}/status': 'registrations.setStatus',
  'GET store /registrations': 'registrations.search',
  'POST store /account/password': 'account.changePassword',
  'POST store /account/email': 'account.changeEmail',
  'POST store /account/totp': 'account.totp.begin',
  'POST store /account/passkeys/options': 'account.passkeys.options',
  'POST store /settings/effects': 'settings.effects',
  'POST store /team/{id}/invitation': 'team.inviteAgain',
};

/**
 * The place of a method in the client: `coupons.orders.list`.
 *
 * The fixed segments of the path are properties, the parameters are arguments. The last part is the
 * verb: `list` or `get`, `create`, `set` (PUT), `update` (PATCH), `delete`. Below a resource, a thing that
 * is no collection is itself the method: `coupons.stats`, `webhooks.test`.
 */
export function nameOf(route: NamedRoute): string {
  const { method, namespace, path, isList } = route;
  const exception = EXCEPTIONS[`${method} ${namespace} ${path}`];
  if (exception !== undefined) return exception;
  const segments = path.split('/').filter(Boolean);
  const fixed = segments.filter((segment) => !segment.startsWith('{')).map(camel);
  const ofRecord = segments.at(-1)!.startsWith('{');
  const ofPart = !ofRecord && fixed.length > 1;
  const isCollection = !ofRecord && isPlural(fixed.at(-1)!);
  const part = fixed.join('.');
  if (method === 'GET') return isList ? `${part}.list` : ofPart ? part : `${part}.get`;
  if (method === 'POST') return ofPart && !isCollection ? part : `${part}.create`;
  if (method === 'DELETE') return isCollection ? `${part}.deleteAll` : `${part}.delete`;
  return method === 'PUT' ? `${part}.set` : `${part}.update`;
}

/** `payout-details` → `payoutDetails`, `orders.csv` → `ordersCsv`. */
export function camel(words: string): string {
  return words.replaceAll(/[-._](\w)/g, (_, first: string) => first.toUpperCase());
}

export function pascal(words: string): string {
  return camel(`.${words}`);
}

function isPlural(word: string): boolean {
  return word.endsWith('s') && !/(ss|us|is)$/.test(word);
}
