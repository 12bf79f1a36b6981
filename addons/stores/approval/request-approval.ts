import Type from 'typebox';
import { invalidParameter } from '../../../src/kernel/call/parameters.ts';
import { WINDOW_MS } from '../../../src/kernel/call/rate-limit.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { LocalTime } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import {
  Another,
  checkAnswer,
  ConnectionName,
  nameOf,
  readUrl,
  Replace,
  requireKind,
} from '../connections/connection-input.ts';
import {
  alreadyConnected,
  findSameStore,
  ownHost,
  storeIsConnected,
} from '../connections/store-identity.ts';
import type { Approval } from '../connectors/connector.ts';
import { insertApproval, pruneApprovals } from './approval-rows.ts';

const STATE_LENGTH = 40;
const PER_MINUTE = 20;
/** How long an owner has to sign in to the store and approve. */
export const APPROVAL_MS = 10 * 60_000;

export const approvalNeedsHttps = defineError(
  'svc_api_approval_needs_https',
  409,
  'The store sends its credentials over HTTPS only, and the address of this service is not an https one.',
);

export const requestApproval = operation({
  method: 'POST',
  namespace: 'store',
  path: '/connection-requests',
  summary: 'Connect a store by approving it there',
  description:
    'For kinds of stores with a page of their own for that, such as WooCommerce. Open `approve_url` in the browser of ' +
    'the owner. The store then sends its credentials to this service, once, and the browser back to the console.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  body: Type.Object(
    {
      kind: Type.String({
        maxLength: 40,
        description: 'The kind of store.',
        examples: ['woocommerce'],
      }),
      name: Type.Optional(ConnectionName),
      url: Type.String({
        maxLength: 2_048,
        description: 'The address of the store.',
        examples: ['https://shop.example'],
      }),
      replace: Replace,
      another: Another,
    },
    { $id: 'RequestStoreApproval' },
  ),
  example: { body: { kind: 'woocommerce', name: 'Outdoor shop', url: 'https://shop.example' } },
  status: 201,
  secretAnswer: true,
  response: Type.Object(
    {
      id: Type.Integer({ description: 'The id of the request.' }),
      approve_url: Type.String({ description: 'The page of the store. It is valid once.' }),
      date_expires: LocalTime('Until when the store may answer.'),
    },
    {
      $id: 'StoreApprovalRequest',
      examples: [
        {
          id: 4,
          approve_url:
            'https://shop.example/wc-auth/v1/authorize?app_name=Tributary&scope=read_write&user_id=4',
          date_expires: '2026-02-24T10:22:11',
        },
      ],
    },
  ),
  errors: [approvalNeedsHttps, storeIsConnected, generalErrors.noEntropy],
  async handle({ db: tx, site, nowMs }, { kind, name, url, replace, another }) {
    checkAnswer({ replace, another });
    const { connector, approval } = requireApproval(site, kind);
    const { allowed } = await site.limits.take('store approvals', PER_MINUTE);
    if (!allowed) {
      throw new ApiError(generalErrors.rateLimited, { data: { retry_after: WINDOW_MS / 1000 } });
    }
    const storeUrl = readUrl(connector, url);
    const host = another ? null : ownHost(connector, storeUrl);
    const same = await findSameStore(tx, kind, { host, account: null });
    if (same && same.state !== 'deleted' && !replace) throw alreadyConnected(same);
    const state = randomBase62(STATE_LENGTH);
    await pruneApprovals(tx, { before: nowMs - DAY_MS });
    const { id, expires_at } = await insertApproval(tx, {
      kind,
      name: name ?? nameOf(connector, storeUrl),
      url: storeUrl,
      replaces: Number(replace),
      is_another: Number(another),
      state_hash: hashState(site, state),
      created_at: nowMs,
      expires_at: nowMs + APPROVAL_MS,
    });
    const approve_url = approval.url(storeUrl, {
      requestId: id,
      callbackUrl: `${site.publicUrl}/connect/${kind}/keys?state=${state}`,
      returnUrl: `${site.publicUrl}/console/stores?request=${id}`,
    });
    return { id, approve_url, date_expires: site.calendar.toLocal(expires_at) };
  },
});

/** A database that leaks reveals no state that is still valid. */
export function hashState({ keyring }: Site, state: string): string {
  return keyring.hash('store approval', state);
}

function requireApproval(site: Site, kind: string) {
  const connector = requireKind(site, kind);
  const approval: Approval | undefined = connector.approval;
  if (!approval) throw invalidParameter('kind', 'has no page for approval: enter its credentials');
  if (!site.publicUrl.startsWith('https://')) throw new ApiError(approvalNeedsHttps);
  return { connector, approval };
}
