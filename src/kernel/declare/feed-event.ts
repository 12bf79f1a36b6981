import Type, { type Static } from 'typebox';
import { LocalTime } from './schemas.ts';

/** An event of the change feed. Webhooks and listeners receive the same data with the same id. */
export const FeedEventSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Position in the feed: rises without gaps.' }),
    kind: Type.String({ description: 'The first part of the name: `referral`.' }),
    event: Type.String({ description: 'The full name: `referral.created`.' }),
    object_id: Type.Integer({
      description: 'The id of the thing that changed, 0 when it has none.',
    }),
    user_id: Type.Integer({ description: 'The user who caused the event; 0 for the system.' }),
    info: Type.String({ description: 'A sentence that describes the event.' }),
    date: LocalTime('When it happened.'),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'Ids and figures.' }),
  },
  { $id: 'FeedEvent' },
);

export type FeedEvent = Static<typeof FeedEventSchema>;
