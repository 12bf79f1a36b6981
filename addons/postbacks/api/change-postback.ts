import Type from 'typebox';
import { invalidParameter } from '../../../src/kernel/call/parameters.ts';
import { requireProof } from '../../../src/kernel/call/proof.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { reactivated } from '../../../src/modules/deliveries/index.ts';
import { sequenceEvents } from '../../../src/modules/events/index.ts';
import { beginFanOut } from '../delivery/fan-out-rows.ts';
import {
  lockPostback,
  requirePostback,
  savePostback,
  type PostbackRow,
} from '../postback/postback-rows.ts';
import { invalidPostbackUrl, requireUsableUrl } from '../postback/postback-url.ts';
import {
  OrderChanges,
  PostbackMethod,
  postbackParams,
  PostbackSchema,
  PostbackUrl,
  requireMatch,
  storedChanges,
  toPostback,
} from './postback-wire.ts';

export const changePostback = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks/{postback_id}',
  summary: 'Change a postback, or switch it on or off',
  description:
    'A postback that is off gets nothing new; what is pending is kept. Switched on, it goes on with that and with later ' +
    'changes; a replay sends those in between. The format cannot be changed. Another url needs a recent proof of a session.',
  access: 'owner',
  scope: 'write',
  proof: 'sometimes',
  params: postbackParams,
  body: Type.Object(
    {
      url: Type.Optional(PostbackUrl),
      method: Type.Optional(PostbackMethod),
      events: Type.Optional(OrderChanges),
      active: Type.Optional(Type.Boolean({ description: 'Whether anything is sent.' })),
    },
    { $id: 'ChangePostback' },
  ),
  example: { body: { active: false }, response: { active: false } },
  response: PostbackSchema,
  errors: [generalErrors.notFound, invalidPostbackUrl],
  async permit({ db, caller }, { id, postback_id }) {
    await requireOwnAffiliate(db, caller, id);
    await requirePostback(db, id, postback_id);
  },
  async prepare({ url, active }, site) {
    if (url !== undefined) await requireUsableUrl(site, url);
    if (active === true) await sequenceEvents(site.database);
  },
  async handle({ db, site, caller, nowMs }, { id, postback_id, url, method, events, active }) {
    await requireOwnAffiliate(db, caller, id);
    // Both are locked in the order in which the fan-out locks them.
    const newest = active === true ? await beginFanOut(db) : 0;
    await lockPostback(db, postback_id);
    const postback = await requirePostback(db, id, postback_id);
    if ([url, method, events, active].every((given) => given === undefined)) {
      throw invalidParameter('url', 'or method, events or active must be given.');
    }
    if (url !== undefined && url !== postback.url) requireProof(caller, nowMs);
    const isOn = active === true && postback.status === 'disabled';
    const changed: PostbackRow = {
      ...postback,
      ...(isOn && { ...reactivated(postback), from_event: newest }),
      ...(active === false && { status: 'disabled' }),
      ...(url !== undefined && { url }),
      ...(method !== undefined && { method }),
      ...(events && { events: storedChanges(events) }),
    };
    requireMatch(changed);
    await savePostback(db, changed);
    return toPostback(changed, site);
  },
});
